#!/usr/bin/env bash
# Installs a release of mmsim for the steps that follow in a job.
#
#   install.sh OWNER/NAME vX.Y.Z FOLDER
#
# The package is downloaded from the release, compared with its checksum, and unpacked
# into FOLDER/bin, which is added to the PATH of the job. MMSIM_RELEASES replaces the address
# of the releases, for a mirror.
set -euo pipefail
repository=${1:-} version=${2:-} folder=${3:?usage: install.sh OWNER/NAME vX.Y.Z FOLDER}
fail() {
  echo "::error::mmsim: $1" >&2
  exit 2
}
[[ $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] ||
  fail "got version \"$version\", expected that of a release, such as v1.2.3: name one after @ in uses, or in the input version"
releases=${MMSIM_RELEASES:-}
if [ -z "$releases" ]; then
  [[ $repository =~ ^[^/]+/[^/]+$ ]] || fail "got repository \"$repository\", expected OWNER/NAME"
  releases=https://github.com/$repository/releases/download
fi

case "$(uname -s)" in
Linux) os=linux ;;
Darwin) os=darwin ;;
MINGW* | MSYS*) os=windows ;;
*) fail "there is no release for $(uname -s)" ;;
esac
case "$(uname -m)" in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) fail "there is no release for $(uname -m)" ;;
esac

name=mmsim_${version}_${os}_$arch
mkdir -p "$folder/bin"
cd "$folder"
for file in checksums.txt "$name.tar.gz"; do
  curl --fail --silent --show-error --location --retry 3 --output "$file" "$releases/$version/$file" ||
    fail "cannot download $releases/$version/$file"
done
grep " $name.tar.gz\$" checksums.txt >expected.txt || fail "checksums.txt of $version does not list $name.tar.gz"
if command -v sha256sum >/dev/null; then
  sha256sum --check --quiet expected.txt || fail "$name.tar.gz is not the file of release $version"
else
  shasum --algorithm 256 --check --quiet expected.txt || fail "$name.tar.gz is not the file of release $version"
fi
tar -xzf "$name.tar.gz"
mv "$name"/mmsim* bin/
rm -r "$name" "$name.tar.gz" checksums.txt expected.txt
bin/mmsim about | head -1
if command -v cygpath >/dev/null; then
  cygpath --windows "$PWD/bin"
else
  echo "$PWD/bin"
fi >>"${GITHUB_PATH:-/dev/null}"
