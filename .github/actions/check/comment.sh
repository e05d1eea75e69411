#!/usr/bin/env bash
# Writes the comment about a project to its pull request: what changed from before to after, which
# groups lost, and which limits hold.
#
#   comment.sh CONFIG FOLDER ADDRESS
#
# FOLDER has the results of the action, and ADDRESS is that of the uploaded pages. A project has one
# comment: a later run replaces its text. GH_TOKEN must be allowed to write to pull requests, which it
# is not for those from public forks; then nothing is written, and the job does not fail.
set -euo pipefail
config=$1 folder=$2 address=$3
marker="<!-- mmsim check: $config -->"
number=$(sed -n 's|^refs/pull/\([0-9]*\)/.*|\1|p' <<<"${GITHUB_REF:-}")
[ -n "$number" ] || exit 0
{
  echo "$marker"
  echo "## $config: before (A) → after (B)"
  echo
  if [ -f "$folder/compare/comparison.md" ]; then
    cat "$folder/compare/comparison.md"
  else
    echo "There is no state before to compare with."
  fi
  if [ -f "$folder/check/check.md" ]; then
    echo
    cat "$folder/check/check.md"
  else
    echo
    echo "The limits were not checked; the log of the job says why."
  fi
  if [ -n "$address" ]; then
    echo
    echo "[The pages (report.html) and all results]($address)"
  fi
} | head -c 60000 >"$folder/comment.md" # GitHub takes 65,536 characters
skip() {
  echo "::notice::mmsim: the comment was not written: $1" >&2
  exit 0
}
comments=repos/$GITHUB_REPOSITORY/issues/$number/comments
# The first line that begins with the marker is that of the comment to replace.
own=$(gh api --paginate "$comments" --jq '.[] | "\(.id) \(.body | split("\n")[0] | rtrimstr("\r"))"' |
  awk -v marker="$marker" '{ id = $1; sub(/^[0-9]+ /, ""); if ($0 == marker) { print id; exit } }') ||
  skip "the comments of pull request $number cannot be read"
if [ -n "$own" ]; then
  gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$own" --field "body=@$folder/comment.md"
else
  gh api --silent --method POST "$comments" --field "body=@$folder/comment.md"
fi || skip "the token may not write to pull request $number; the workflow needs the permission pull-requests: write"
