#!/usr/bin/env bash
# Simulates a project as it is on the branch into which a pull request goes, and compares the results
# with those of the pull request.
#
#   before.sh CONFIG RUNS BASELINE FOLDER
#
# FOLDER has the results of the pull request in FOLDER/results; the comparison goes to FOLDER/compare.
# If BASELINE is not empty, it is the result directory to compare with, and nothing is simulated. If
# the branch has no such project, there is no comparison. No failure here fails the job, because the
# pull request may be what repairs the branch.
set -euo pipefail
config=$1 runs=$2 baseline=$3 folder=$4
skip() {
  echo "::notice::mmsim: no comparison with the state before: $1" >&2
  exit 0
}
if [ -n "$baseline" ]; then
  before=$(cd "$baseline" && pwd) || skip "there is no folder $baseline"
else
  [ -n "${GITHUB_BASE_REF:-}" ] || skip "this is no pull request"
  git fetch --quiet --depth=1 origin "$GITHUB_BASE_REF" || skip "cannot fetch $GITHUB_BASE_REF"
  git worktree add --quiet --detach "$folder/base" FETCH_HEAD || skip "cannot check $GITHUB_BASE_REF out"
  [ -f "$folder/base/$config" ] || skip "$GITHUB_BASE_REF has no $config"
  (cd "$folder/base" && mmsim run --config "$config" --runs "$runs" --out "$folder/before" --quiet) ||
    skip "$config of $GITHUB_BASE_REF cannot be simulated"
  git worktree remove --force "$folder/base"
  before=before
fi
cd "$folder"
mmsim compare "$before" results --out compare --markdown --quiet >/dev/null || skip "the results cannot be compared"
