#!/usr/bin/env bash
# Installs mmsim for the steps that follow in a job.
#
#   install.sh OWNER/NAME VERSION FOLDER [SOURCE]
#
# VERSION is a release, such as v1.2.3, or v1 for the newest release that begins with v1. The package
# is downloaded from the release, compared with its checksum, and unpacked into FOLDER/bin, which is
# added to the PATH of the job. If there is no such release to download, as in a private fork or for
# a branch, mmsim is built from SOURCE, a copy of the repository; that needs Go. A package that is not
# the one of the release is always an error.
#
# MMSIM_RELEASES replaces the address of the releases, for a mirror, and MMSIM_REPOSITORY that of the
# repository, whose tags say which release v1 is.
set -euo pipefail
repository=${1:-} version=${2:-} folder=${3:?usage: install.sh OWNER/NAME VERSION FOLDER [SOURCE]} source=${4:-}
fail() {
  echo "::error::mmsim: $1" >&2
  exit 2
}

# finish adds FOLDER/bin to the PATH of the job.
finish() {
  "$folder/bin/mmsim" about | head -1
  if command -v cygpath >/dev/null; then
    cygpath --windows "$folder/bin"
  else
    echo "$folder/bin"
  fi >>"${GITHUB_PATH:-/dev/null}"
  exit 0
}

# build builds mmsim from SOURCE. The argument says why.
build() {
  [ -n "$source" ] || fail "$1"
  command -v go >/dev/null || fail "$1; to build it from source instead, add the action setup-go to the job"
  echo "::notice::mmsim: $1; it is built from source" >&2
  stamp=
  [[ $version =~ ^v[0-9]+(\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?)?$ ]] &&
    stamp="-X mmsim/cmd/mmsim/build.release=$version -X mmsim/cmd/mmsim/build.repository=$repository"
  (cd "$source" && CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags "-s -w $stamp" -o "$folder/bin/" ./cmd/mmsim) ||
    fail "cannot build mmsim in $source"
  finish
}

mkdir -p "$folder/bin"
folder=$(cd "$folder" && pwd)
[[ $version =~ ^v[0-9]+(\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?)?$ ]] ||
  build "got version \"$version\", expected that of a release, such as v1.2.3: name one after @ in uses, or in the input version"
if [ -z "${MMSIM_RELEASES:-}" ] && [[ ! $repository =~ ^[^/]+/[^/]+$ ]]; then
  build "got repository \"$repository\", expected OWNER/NAME"
fi
address=${MMSIM_REPOSITORY:-https://github.com/$repository}
releases=${MMSIM_RELEASES:-https://github.com/$repository/releases/download}
if [[ $version != *.* ]]; then
  newest=$(GIT_TERMINAL_PROMPT=0 git ls-remote --tags --refs "$address" "$version.*" 2>/dev/null |
    sed -n "s|.*refs/tags/\($version\.[0-9]*\.[0-9]*\)\$|\1|p" | sort -V | tail -1) || true
  [ -n "$newest" ] || build "found no release that begins with $version in $address"
  version=$newest
fi

kind=tar.gz
case "$(uname -s)" in
Linux) os=linux ;;
Darwin) os=darwin ;;
MINGW* | MSYS*) os=windows kind=zip ;;
*) build "there is no release for $(uname -s)" ;;
esac
case "$(uname -m)" in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) build "there is no release for $(uname -m)" ;;
esac

name=mmsim_${version}_${os}_$arch
package=$name.$kind
cd "$folder"
for file in checksums.txt "$package"; do
  curl --fail --silent --show-error --location --retry 3 --output "$file" "$releases/$version/$file" ||
    build "cannot download $releases/$version/$file"
done
grep " $package\$" checksums.txt >expected.txt || fail "checksums.txt of $version does not list $package"
if command -v sha256sum >/dev/null; then
  sha256sum --check --quiet expected.txt || fail "$package is not the file of release $version"
else
  shasum --algorithm 256 --check --quiet expected.txt || fail "$package is not the file of release $version"
fi
if [ "$kind" = zip ]; then unzip -q "$package"; else tar -xzf "$package"; fi
mv "$name"/mmsim* bin/
rm -r "$name" "$package" checksums.txt expected.txt
finish
