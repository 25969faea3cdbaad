#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A Slurm cluster of one node, this machine, that belongs to the caller and touches nothing of the system's. It runs two tasks at a
# time, whatever memory they ask for:
#   slurm_cluster.sh start <folder>   writes <folder>/slurm.conf for SLURM_CONF
#   slurm_cluster.sh stop <folder>
set -euo pipefail

stop() { printf 'slurm_cluster.sh: %s\n' "$1" >&2; exit 1; }

# write_configuration <port>: all that the daemons need is in the folder
write_configuration() {
  cat >"$folder/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$1
SlurmdPort=$(($1 + 1))
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MinJobAge=86400
NodeName=$(hostname) NodeAddr=127.0.0.1 CPUs=2 RealMemory=64000
PartitionName=main Nodes=ALL Default=YES State=UP
END
}

start_cluster() {
  mkdir -p "$folder/state" "$folder/spool"
  chmod a+x "$folder" # munge wants everyone to reach its socket
  (umask 077 && head -c 128 /dev/urandom >"$folder/munge.key")
  write_configuration $((20000 + RANDOM % 10000))
  munged --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
    --log-file="$folder/munged.log" --seed-file="$folder/munge.seed"
  slurmctld -f "$folder/slurm.conf" -i
  slurmd -f "$folder/slurm.conf"
  for _ in {1..120}; do
    if SLURM_CONF="$folder/slurm.conf" sinfo --noheader --format=%T 2>/dev/null | grep -q idle; then return; fi
    sleep 0.5
  done
  tail -n 5 "$folder/slurmctld.log" "$folder/slurmd.log" >&2
  stop "the node is not ready after a minute; the last lines of its logs are above."
}

# Each daemon is waited for, since it writes its state when it ends.
stop_cluster() {
  local daemon process
  for daemon in slurmd slurmctld munged; do
    if [ ! -s "$folder/$daemon.pid" ]; then continue; fi
    process=$(<"$folder/$daemon.pid")
    kill "$process" || continue
    for _ in {1..60}; do
      if ! kill -0 "$process" 2>/dev/null || grep -q '^State:\s*Z' "/proc/$process/status" 2>/dev/null; then break; fi
      sleep 0.5
    done
  done
}

PATH=$PATH:/usr/sbin
[ "$#" = 2 ] || stop "say start or stop, and the folder of the cluster."
folder=$(mkdir -p "$2" && cd "$2" && pwd)
case "$1" in
  start) start_cluster ;;
  stop) stop_cluster ;;
  *) stop "there is no command $1; it is start or stop." ;;
esac
