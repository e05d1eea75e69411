#!/usr/bin/env bash
# Builds a release: a static binary for every platform, packed with the licence, the notices of
# the code by others, and README.md, and the checksums of the packages. A package for Windows is a
# .zip, the others are .tar.gz.
#
#   scripts/release/build.sh v1.2.3          # into dist/
#   scripts/release/build.sh v1.2.3 FOLDER
#
# Equal sources give equal bytes. The tag goes into the binaries, and so does the
# repository, OWNER/NAME, if GITHUB_REPOSITORY has it. PLATFORMS, such as "linux/amd64", limits
# what is built. It publishes nothing.
set -euo pipefail
version=${1:?usage: scripts/release/build.sh vX.Y.Z [FOLDER]}
if [[ ! $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]]; then
  echo "build.sh: got version $version, expected one such as v1.2.3 or v1.2.3-rc.1" >&2
  exit 2
fi
mkdir -p "${2:-$(dirname "$0")/../../dist}"
out=$(cd "${2:-$(dirname "$0")/../../dist}" && pwd)
cd "$(dirname "$0")/../.."
if [ -n "$(ls -A "$out")" ]; then
  echo "build.sh: $out is not empty, expected a new folder" >&2
  exit 2
fi

variables=$(go list -m)/cmd/mmsim/build
stamp="-X $variables.release=$version -X $variables.repository=${GITHUB_REPOSITORY:-}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

platforms=${PLATFORMS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}
# shellcheck disable=SC2086 # a list of words
go run ./scripts/release $platforms >"$work/THIRD-PARTY-NOTICES.txt"

for platform in $platforms; do
  os=${platform%/*} arch=${platform#*/}
  folder=mmsim_${version}_${os}_$arch
  mkdir "$work/$folder"
  program=$work/$folder/mmsim
  [ "$os" = windows ] && program+=.exe
  GOOS=$os GOARCH=$arch CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags "-s -w $stamp" -o "$program" ./cmd/mmsim
  cp LICENSE README.md "$work/THIRD-PARTY-NOTICES.txt" "$work/$folder/"
  if [ "$os" = windows ]; then
    package=$folder.zip
    TZ=UTC touch --date=@315532800 "$work/$folder" "$work/$folder"/* # 1980, the first year of the format
    (cd "$work" && find "$folder" -type f | LC_ALL=C sort | TZ=UTC zip -q -9 -X "$out/$package" -@)
  else
    package=$folder.tar.gz
    tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -c "$folder" | gzip -9n >"$out/$package"
  fi
  echo "$package"
  if [ "$platform" = "$(go env GOHOSTOS)/$(go env GOHOSTARCH)" ]; then
    said=$("$program" about | head -1)
    if [[ $said != "mmsim $version,"* ]]; then
      echo "build.sh: the program says \"$said\", expected version $version" >&2
      exit 1
    fi
  fi
  rm -r "${work:?}/$folder"
done
(cd "$out" && LC_ALL=C && sha256sum -- mmsim_* >checksums.txt)
echo checksums.txt
