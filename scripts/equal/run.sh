#!/usr/bin/env bash
# Checks that today's mmsim makes the same results, byte for byte, as an earlier
# commit: what a change of structure must keep. It builds both binaries, runs both on
# a matrix of small days and compares result directories, standard output, standard
# error and exit codes.
#
#   scripts/equal/run.sh COMMIT            # the whole matrix, about a minute
#   scripts/equal/run.sh COMMIT playfab    # the cases whose name contains a word
#   PROCESSOR=arm64 scripts/equal/run.sh HEAD    # today's mmsim for another processor, in qemu
#
# Both run in a folder of the same path and on the same inputs (inputs/ beside this
# script, and the case files of the dialects), so that the names of files in results
# agree. Both binaries say the same version, which results hold. "Today" is the working
# tree, committed or not. A difference ends with exit code 1 and leaves everything in the
# folder that the last line names.
set -euo pipefail
cd "$(dirname "$0")/../.."
tree=$PWD
commit=${1:?usage: scripts/equal/run.sh COMMIT [WORD]}
word=${2:-}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/source" "$work/before" "$work/after"
git archive "$commit" | tar -x -C "$work/source"
# What commits before version.go learnt of releases say of a build without a stamp.
# Earlier commits have the variable in package experiment; the linker ignores what does not exist.
variables=$(go list -m)/cmd/mmsim
build=(go build -buildvcs=false -ldflags "-X $variables/build.release=(devel) -X $variables/experiment.release=(devel)")
(cd "$work/source" && "${build[@]}" -o "$work/mmsim-before" ./cmd/mmsim)
if [ -n "${PROCESSOR:-}" ]; then
  GOARCH=$PROCESSOR CGO_ENABLED=0 "${build[@]}" -o "$work/mmsim-$PROCESSOR" ./cmd/mmsim
  printf '#!/bin/sh\nexec qemu-%s-static "%s" "$@"\n' "${PROCESSOR/arm64/aarch64}" "$work/mmsim-$PROCESSOR" >"$work/mmsim-after"
  chmod +x "$work/mmsim-after"
else
  "${build[@]}" -o "$work/mmsim-after" ./cmd/mmsim
fi
rm -rf "$work/source"

for side in before after; do
  cp -r "$tree/scripts/equal/inputs/." "$work/$side/"
  for folder in "$tree"/matcher/dialect/*/testdata/cases; do
    vendor=$(basename "${folder%/testdata/cases}")
    mkdir -p "$work/$side/cases/$vendor"
    cp "$folder"/*.json "$work/$side/cases/$vendor/"
  done
done

# inside SIDE COMMAND...: runs a command in the folder of one side. That folder has
# the same path for both sides meanwhile, because results name the files that they read.
inside() {
  local side=$1
  shift
  mv "$work/$side" "$work/here"
  (cd "$work/here" && "$@")
  mv "$work/here" "$work/$side"
}

# call NAME ARGUMENT...: calls both binaries, with what they print in files beside
# their results, and compares.
failed=0
call() {
  local name=$1 side
  shift
  [[ $name == *"$word"* ]] || return 0
  for side in before after; do
    inside "$side" record "$name" "$work/mmsim-$side" "$@"
  done
  same "$name"
}

# record NAME COMMAND...: keeps what a command prints, and its exit code.
record() {
  local name=$1 code=0
  shift
  "$@" >"$name.stdout" 2>"$name.stderr" || code=$?
  echo "$code" >"$name.code"
}

# explain VENDOR BINARY: explains every case of a vendor.
explain() {
  local file
  for file in cases/"$1"/*.json; do
    "$2" match --explain --json "$file" || true
  done
}

# same NAME: compares what both made under a name.
same() {
  local name=$1 path code
  code=$(cat "$work/after/$name.code" 2>/dev/null || echo 0)
  for path in $(cd "$work" && ls -d before/"$name" before/"$name".* after/"$name" after/"$name".* 2>/dev/null | cut -d/ -f2 | sort -u); do
    diff -rq "$work/before/$path" "$work/after/$path" || true
  done >"$work/$name.diff" 2>&1
  if [ -s "$work/$name.diff" ]; then
    echo "DIFFERS $name"
    sed 's/^/        /' "$work/$name.diff" | head -10
    failed=1
  elif [ "$code" != 0 ] && [[ $name != wrong-* ]]; then
    echo "BROKEN  $name: exit code $code: $(head -3 "$work/after/$name.stderr")"
    failed=1
  else
    echo "equal   $name"
  fi
}

day=(run --config day.yaml --quiet)
rules=(run --config rules.yaml --quiet)

call article "${day[@]}" --set output.plots=true --set output.html=true --out article
call article-records "${day[@]}" --records csv --out article-records
call article-words run --config day.yaml --out article-words
call article-orders "${day[@]}" --set match.order=oldest --set match.prefer=best --set match.size=6 --out article-orders
call article-parties "${day[@]}" --config parties.yaml --out article-parties
call article-together "${day[@]}" --set match.keep_together=true --set match.size=8 --out article-together

for vendor in playfab playfab-teams accelbyte accelbyte-options; do
  call "$vendor-pool" "${rules[@]}" --rules "$vendor.json" --placement pool --out "$vendor-pool"
  call "$vendor-datacenters" "${rules[@]}" --rules "$vendor.json" --placement datacenters --out "$vendor-datacenters"
done
call playfab-split "${rules[@]}" --rules playfab.json --set matcher.partition_above=40 --set matcher.expansion_basis=shortest --out playfab-split
call playfab-parties "${rules[@]}" --rules playfab-teams.json --config parties-rules.yaml --out playfab-parties
call accelbyte-parties "${rules[@]}" --rules accelbyte.json --config parties-rules.yaml --records csv --out accelbyte-parties
call playfab-page run --config rules.yaml --rules playfab.json --set output.plots=true --set output.html=true --out playfab-page

call season "${rules[@]}" --rules playfab.json --scale 0.1 --set clock.duration=3d --set players.attributes.skill='{normal: {mean: 1500, sd: 300}}' --set season.skill=skill --set output.plots=true --set output.html=true --out season

call queues run --config queues.yaml --quiet --records csv --out queues
call servers run --config servers.yaml --quiet --out servers
call servers-rules run --config servers.yaml --rules roblox.json --quiet --records csv --out servers-rules
call servers-words run --config servers.yaml --rules roblox.json --out servers-words

call capture-pool "${rules[@]}" --rules playfab.json --capture 00:20:00=capture-pool.json --out capture-pool
call capture-pivot "${rules[@]}" --rules accelbyte.json --placement pool --capture 00:20:00=capture-pivot.json --out capture-pivot
call capture-turn "${rules[@]}" --rules playfab.json --placement datacenters --capture 00:20:00@frankfurt=capture-turn.json --out capture-turn
[ -n "$word" ] || call captured test capture-pool.json capture-pivot.json capture-turn.json

call runs "${day[@]}" --runs 3 --out runs
call compare compare day.yaml --set-b states.ideal.rtt=30ms --runs 2 --json
call compare-rules compare rules.yaml rules.yaml --set rules=playfab.json --set-b matcher.optional_basis=any --runs 2 --out compare-rules
call sweep sweep sweep.yaml --out sweep --quiet
call tune tune tune.yaml --out tune --quiet

call validate validate day.yaml rules.yaml queues.yaml servers.yaml playfab.json playfab-teams.json accelbyte.json accelbyte-options.json roblox.json
call help-config help config
call help-run run --help
call wrong-dialect run --config rules.yaml --rules playfab.json --set dialect=accelbyte --out wrong
call wrong-placement run --config rules.yaml --rules playfab.json --placement servers --out wrong
call wrong-capture run --config day.yaml --capture 00:20:00=wrong.json --out wrong
call cases test cases
for folder in "$work"/after/cases/*; do
  vendor=$(basename "$folder")
  [[ explained-$vendor == *"$word"* ]] || continue
  for side in before after; do
    inside "$side" record "explained-$vendor" explain "$vendor" "$work/mmsim-$side"
  done
  same "explained-$vendor"
done

if [ "$failed" = 0 ]; then
  echo "all equal to $commit"
else
  trap - EXIT
  echo "not equal to $commit: see $work"
fi
exit "$failed"
