/* measure.cu - what a device leaves of the kernels of lanes.cu, as h100.raw has it.
 *
 * nvcc -O2 -arch=sm_90 -o measure measure.cu; ./measure h100.raw */
#include "lanes.cu"
#include <cstdio>
#include <vector>

struct row {
    void (*kernel)(unsigned *, unsigned *, unsigned);
    unsigned threads;
};
static const row rows[] = {
    {if_else, 32},
    {if_nested, 32},
    {trips, 32},
    {nested_trips, 32},
    {continues, 32},
    {switches, 32},
    {switch_wide, 32},
    {gotos, 32},
    {early_exit, 32},
    {exit_in_loop, 32},
    {return_or_not, 32},
    {calls, 32},
    {recursion, 32},
    {conditions, 32},
    {do_while, 32},
    {lock, 32},
    {lock_done, 32},
    {lock_shared, 32},
    {lock_ticket, 32},
    {lock_sleep, 32},
    {cas_add, 32},
    {last_gives, 32},
    {first_gives, 32},
    {given_after, 32},
    {chain, 32},
    {chain_back, 32},
    {ping_pong, 32},
    {ring, 32},
    {sleepers, 32},
    {both_wait, 32},
    {sync_halves, 32},
    {sync_both, 32},
    {sync_after, 32},
    {sync_in_loop, 32},
    {sync_quads, 32},
    {shfl_sides, 32},
    {shfl_apart, 32},
    {vote_loop, 32},
    {match_groups, 32},
    {elects, 32},
    {masks_differ, 32},
    {exited_synced, 32},
    {bar_sides, 64},
    {bar_trips, 64},
    {bar_sides_given, 64},
    {bar_count, 64},
    {long_side, 32},
    {load_sides, 32},
    {poll_clock, 32},
    {sleep_side, 32},
    {sleep_other_side, 32},
    {sleep_both, 32},
    {atom_loops, 32},
    {volatile_loops, 32},
    {volatile_trips, 32},
    {atom_trips, 32},
    {long_trips, 32},
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

int main(int argc, char **argv)
{
    const size_t bytes = sizeof(unsigned) * ROWS * THREADS * NOTES;
    std::vector<unsigned> notes(ROWS * THREADS * NOTES);
    unsigned *all, *cells;
    FILE *f = argc == 2 ? fopen(argv[1], "wb") : NULL;

    if (f == NULL) {
        fprintf(stderr, "measure: FILE\n");
        return 2;
    }
    cudaMalloc(&all, bytes);
    cudaMalloc(&cells, sizeof(unsigned) * ROWS * CELLS);
    cudaMemset(all, 0, bytes);
    cudaMemset(cells, 0, sizeof(unsigned) * ROWS * CELLS);
    for (unsigned k = 0; k < ROWS; k++) {
        rows[k].kernel<<<1, rows[k].threads>>>(all, cells, k);
        if (cudaDeviceSynchronize() != cudaSuccess) {
            fprintf(stderr, "measure: kernel %u\n", k);
            return 1;
        }
    }
    cudaMemcpy(notes.data(), all, bytes, cudaMemcpyDeviceToHost);
    fwrite(notes.data(), sizeof(unsigned), notes.size(), f);
    return fclose(f) == 0 ? 0 : 1;
}
