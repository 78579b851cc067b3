#!/bin/sh
# Time both versions of each case and profile the bad one, on a machine with a GPU, ncu and torch.
#
#     suites/diagnosis/record.sh FOLDER [CASE...]
#
# writes FOLDER/times.jsonl (a line for each case) and FOLDER/CASE.ncu-rep. A CUDA case that has no
# program yet is built with nvcc.
here=$(cd "$(dirname "$0")" && pwd)
out=$1; shift
[ $# -gt 0 ] || set -- $(ls "$here/cases")
sections="SpeedOfLight SpeedOfLight_RooflineChart ComputeWorkloadAnalysis MemoryWorkloadAnalysis
MemoryWorkloadAnalysis_Tables LaunchStats Occupancy SchedulerStats WarpStateStats InstructionStats
SourceCounters WorkloadDistribution"
options="--clock-control none --profile-from-start off --import-source yes -f"
for section in $sections; do options="$options --section $section"; done
mkdir -p "$out"
for name in "$@"; do
  cd "$here/cases/$name" || continue
  if [ -f kernel.py ]; then
    run="python3 ../../suite.py kernel.py"
  else
    [ -x case ] || nvcc -O3 -std=c++17 -lineinfo -arch=native -cudart shared -o case kernel.cu
    run=./case
  fi
  told=$(timeout 60 $run time 2>"$out/$name.err") || echo "$name: $(tail -1 "$out/$name.err")" >&2
  echo "{\"case\": \"$name\", \"told\": ${told:-null}}" >> "$out/times.jsonl"
  timeout 90 ncu $options -o "$out/$name" $run bad > "$out/$name.log" 2>&1 || tail -2 "$out/$name.log" >&2
  [ -s "$out/$name.err" ] || rm -f "$out/$name.err"
done
