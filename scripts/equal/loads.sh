#!/usr/bin/env bash
# Checks that the engine makes the same matches on its benchmark loads as an earlier commit, and
# compares the CPU time of both.
#
#   scripts/equal/loads.sh COMMIT                    # all loads, about half an hour
#   scripts/equal/loads.sh COMMIT 'Rules/./day'      # the loads that go test -bench selects
#   scripts/equal/loads.sh COMMIT 'Rules/./day' 7    # 7 runs of both in turn, for medians of CPU time
#
# It prints a line for each load: whether the number of matches, the number of used-up budgets and
# the hash of all matches are equal, and today's CPU time divided by the earlier one. A difference
# ends with exit code 1. "Today" is the working tree, committed or not.
set -euo pipefail
cd "$(dirname "$0")/../.."
commit=${1:?usage: scripts/equal/loads.sh COMMIT [LOADS [RUNS]]}
loads=${2:-.}
runs=${3:-1}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/source"
git archive "$commit" | tar -x -C "$work/source"
(cd "$work/source" && go test -c -o "$work/before" ./matcher/engine)
go test -c -o "$work/after" ./matcher/engine

for ((run = 0; run < runs; run++)); do
  for side in before after; do
    GOMAXPROCS=1 "$work/$side" -test.run '^$' -test.bench "$loads" -test.benchtime 1x | grep '^Benchmark' >>"$work/$side.txt"
  done
done

# Every line of a benchmark has pairs of a value and its unit, from the third field on.
awk '
  function median(list, n,   i, k, x) {
    for (i = 2; i <= n; i++)
      for (k = i; k > 1 && list[k] < list[k-1]; k--) { x = list[k]; list[k] = list[k-1]; list[k-1] = x }
    return (list[int((n+1)/2)] + list[int(n/2)+1]) / 2
  }
  {
    side = FILENAME ~ /before.txt$/ ? "before" : "after"
    if (!($1 in known)) { known[$1]; names[++loads] = $1 }
    result = ""
    for (i = 3; i < NF; i += 2) {
      if ($(i+1) == "tickets/cpu-s") cost = 1 / $i
      else if ($(i+1) ~ /^cpu-ms\/(match|pass)$/) cost = $i
      else if ($(i+1) ~ /^(hash|matches|budget-hits)$/) result = result " " $(i+1) " " $i
    }
    costs[side, $1, ++count[side, $1]] = cost
    if (results[side, $1] != "" && results[side, $1] != result) result = " varies"
    results[side, $1] = result
  }
  END {
    for (i = 1; i <= loads; i++) {
      name = names[i]
      for (k = 1; k <= count["before", name]; k++) { before[k] = costs["before", name, k]; after[k] = costs["after", name, k] }
      same = results["before", name] == results["after", name] && results["after", name] !~ /varies/
      ratio = median(after, k-1) / median(before, k-1)
      printf "%s %-55s %.3f %s\n", same ? "equal  " : "DIFFERS", name, ratio, results["after", name]
      if (!same) { printf "        %-55s       %s\n", "before:", results["before", name]; failed = 1 }
      all[i] = ratio
    }
    if (loads == 0) { print "no load has such a name"; exit 2 }
    printf "median CPU time: %.3f\n", median(all, loads)
    exit failed
  }' "$work/before.txt" "$work/after.txt"
