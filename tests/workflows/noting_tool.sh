#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Stands on PATH in place of a tool and runs it. NOTES is a folder for notes: each call has a folder <tool>_<n> there with the
# files 'command', 'started', 'ended' (seconds since 1970) and 'status'. TOOLS is the PATH of the tools themselves. In the call that
# VICTIM names (<tool>_<n>) the tool is killed as by a system that is out of memory, once it has computed for half a second.
set -u
: "${NOTES:?}" "${TOOLS:?}"

tool=$(basename "$0")
export PATH=$TOOLS
case " $* " in *" --help "*) exec "$tool" "$@" ;; esac

number=1
until mkdir "$NOTES/${tool}_$number" 2>/dev/null; do number=$((number + 1)); done
notes="$NOTES/${tool}_$number"
printf '%s\n' "$*" >"$notes/command"
date +%s.%N >"$notes/started"

# ticks <process>: hundredths of a second of computing; empty when it has ended
ticks() { awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat" 2>/dev/null; }

"$tool" "$@" &
if [ "${tool}_$number" = "${VICTIM:-}" ]; then
  while now=$(ticks $!) && [ "${now:-50}" -lt 50 ]; do sleep 0.01; done
  kill -KILL $!
fi
wait $!
status=$?
echo "$status" >"$notes/status"
date +%s.%N >"$notes/ended"
exit "$status"
