#include <cstdio>

int ask();

int main()
{
    int result = ask();

    std::printf("%d\n", result);
    return result != 42;
}
