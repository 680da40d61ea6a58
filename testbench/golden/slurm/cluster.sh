# cluster.sh - sourced: a Slurm of two nodes on this host, from the daemons that are
# installed, with a munge of its own; all of it in one directory, on ports of its own. It
# needs no cgroups, no configuration in /etc and no other user than the one who runs it.
#
# cluster_start DIR [SETTING...] starts it and exports SLURM_CONF; cluster_stop ends all of
# it. They say what is wrong and return 1.

slurm_path=$PATH:/usr/sbin:/sbin

# The sessions of the steps of node $1: those of the scripts that its daemon keeps.
cluster_steps() {
    ps -e -o sid= -o args= | awk -v script="$cluster/run/spool-$1/job" '
        $2 == "/bin/sh" && index($3, script) == 1 && $3 ~ /\/slurm_script$/ { print $1 }
    ' | sort -u
}

# cluster_signal_steps NODE SIGNAL - to the steps of a node and to all they started. False:
# there are none.
cluster_signal_steps() {
    sessions=$(cluster_steps "$1")
    for session in $sessions; do
        for pid in $(ps -e -o pid= -o sid= | awk -v sid="$session" '$2 == sid { print $1 }') \
            "$session"; do
            kill -s "$2" "$pid" 2>/dev/null
        done
    done
    [ -n "$sessions" ]
}

cluster_kill() { # PIDFILE SIGNAL - and wait until it is gone
    [ -s "$1" ] || return 0
    pid=$(cat "$1")
    kill -s "$2" "$pid" 2>/dev/null
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    kill -KILL "$pid" 2>/dev/null
    rm -f "$1"
}

node_start() { # NODE
    PATH=$slurm_path slurmd -N "$1" -f "$SLURM_CONF" ||
        { echo "slurmd $1 does not start"; return 1; }
}

# node_kill NODE - SIGKILL to the daemon and to all that runs there, as when it loses power.
# False, and nothing is done: nothing runs there.
node_kill() {
    cluster_signal_steps "$1" STOP || return 1
    cluster_kill "$cluster/run/slurmd-$1.pid" KILL
    cluster_signal_steps "$1" KILL
}

# until_true SECONDS COMMAND... - wait for it
until_true() {
    tenths=$(($1 * 10)) # of a second
    shift
    while ! "$@"; do
        tenths=$((tenths - 2))
        [ $tenths -gt 0 ] || return 1
        sleep 0.2
    done
}

nodes_idle() {
    [ "$(sinfo -h -N -o %T 2>/dev/null | grep -c '^idle$')" -eq 2 ]
}

cluster_conf() { # PORT [SETTING...]
    port=$1
    shift
    cat <<END
ClusterName=loopback
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$port
SlurmctldPidFile=$cluster/run/slurmctld.pid
SlurmctldLogFile=$cluster/log/slurmctld
SlurmdPidFile=$cluster/run/slurmd-%n.pid
SlurmdLogFile=$cluster/log/slurmd-%n
SlurmdSpoolDir=$cluster/run/spool-%n
StateSaveLocation=$cluster/state
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
CredType=cred/munge
# a job that is queued again waits for the end of its credential
AuthInfo=socket=$cluster/munge/socket,cred_expire=5
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2,sched_min_interval=0,batch_sched_delay=0
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=5
KillWait=2
MessageTimeout=5
NodeName=n[1-2] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 2))] CPUs=2 RealMemory=4000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    printf '%s\n' "$@"
}

cluster_start() { # DIR [SETTING...]
    cluster=$1
    shift
    SLURM_CONF=$cluster/slurm.conf
    export SLURM_CONF
    mkdir -p "$cluster/run" "$cluster/log" "$cluster/state" "$cluster/munge" || return 1
    chmod 755 "$cluster" "$cluster/munge"
    head -c 1024 /dev/urandom >"$cluster/munge/key"
    chmod 400 "$cluster/munge/key"
    PATH=$slurm_path munged --force --num-threads=2 --key-file="$cluster/munge/key" \
        --socket="$cluster/munge/socket" --pid-file="$cluster/run/munged.pid" \
        --log-file="$cluster/log/munged" --seed-file="$cluster/munge/seed" ||
        { echo "munged does not start"; return 1; }
    # somebody else may have the ports
    for attempt in 0 1 2 3 4; do
        cluster_conf $((20000 + ($$ + attempt * 997) % 10000 * 3)) "$@" >"$SLURM_CONF"
        PATH=$slurm_path slurmctld -i -f "$SLURM_CONF" && until_true 5 scontrol ping \
            >"$cluster/log/ping" 2>&1 && break
        cluster_kill "$cluster/run/slurmctld.pid" TERM
    done
    grep -q UP "$cluster/log/ping" || { echo "slurmctld does not answer"; return 1; }
    node_start n1 && node_start n2 || return 1
    until_true 20 nodes_idle || { echo "the nodes do not come up"; sinfo -N -l; return 1; }
}

cluster_stop() {
    [ -n "${cluster:-}" ] || return 0
    scancel --quiet --state=PENDING,RUNNING -u "$(id -un)" >"$cluster/log/scancel" 2>&1
    cluster_kill "$cluster/run/slurmctld.pid" TERM
    for node in n1 n2; do
        cluster_kill "$cluster/run/slurmd-$node.pid" TERM
        cluster_signal_steps $node KILL
    done
    cluster_kill "$cluster/run/munged.pid" TERM
    cluster=
}
