#!/usr/bin/env bash
# Moves the tag of the major version, such as v1, to a release, so that "uses: ...@v1" of the action is
# the newest release.
#
#   scripts/release/major.sh v1.2.3
#
# The tag stays where it is for a release candidate, and for a release of an older line, such as v1.1.9
# after v1.2.0.
set -euo pipefail
version=${1:?usage: scripts/release/major.sh vX.Y.Z}
if [[ ! $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
  echo "$version is no final release: the tag of the major version stays"
  exit 0
fi
major=${version%%.*}
newest=$(git ls-remote --tags --refs origin "$major.*" | sed -n "s|.*refs/tags/\($major\.[0-9]*\.[0-9]*\)\$|\1|p" | sort -V | tail -1)
if [ "$newest" != "$version" ]; then
  echo "$newest is newer than $version: $major stays"
  exit 0
fi
git tag --force "$major" "$version^{commit}"
git push --force origin "refs/tags/$major"
