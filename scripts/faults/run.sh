#!/bin/sh
# Injects faults into the system calls of "mmsim run" on a real disk, with strace (Linux): every n-th
# call of every kind fails with EIO or ENOSPC, or the process is killed at it. After each, the
# directory must hold the old result or the new one, whole, the user's file must be unchanged, and
# the same command must give the new result.
#
#   scripts/faults/run.sh [LAST]    try the calls 1 to LAST of each kind (default 12)
#
# The tests TestEveryFault and TestDiskFaults do the same for all calls and commands with a simulated
# disk; this script shows that the simulation is like the system.
set -eu
last=${1:-12}
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here" && go build -o "$work/mmsim" ./cmd/mmsim
cd "$work"

run() { # SEED OUT
	echo "./mmsim run --set dataset.builtin={preset:eu,joins:2000} --set clock={warmup:5m,duration:10m} --seed $1 --out $2 --quiet"
}

# sums prints the hashes of a result and of the user's file in it.
sums() {
	(cd "$1" 2>/dev/null && find . -type f ! -path '*/.out.tmp-*' | sort | xargs sha256sum) || true
}

$(run 1 old) && $(run 2 new)
cp -r old old.mine && echo mine >old.mine/notes.txt
cp -r new new.mine && echo mine >new.mine/notes.txt
old=$(sums old.mine) new=$(sums new.mine)
points=0 kept_old=0 kept_new=0 bad=0
for call in renameat2,renameat,rename linkat mkdirat unlinkat fsync openat; do
	for fault in error=EIO error=ENOSPC signal=KILL; do
		n=1
		while [ "$n" -le "$last" ]; do
			when=$n
			[ "$call" = openat ] && when=$((n * 40)) # most only read
			rm -rf out out.new* .out.tmp-* && cp -r old.mine out
			code=0
			GOMAXPROCS=1 strace -f -qq -o /dev/null -e "trace=$call" -e "inject=$call:$fault:when=$when" $(run 2 out) >/dev/null 2>message || code=$?
			points=$((points + 1))
			now=$(sums out)
			if [ "$now" = "$old" ]; then kept_old=$((kept_old + 1)); elif [ "$now" = "$new" ]; then kept_new=$((kept_new + 1)); else
				bad=$((bad + 1)) && echo "$call $fault at $when: exit code $code: neither the old result nor the new one: $(cat message)"
			fi
			if [ "$code" = 0 ] && [ "$now" != "$new" ]; then
				bad=$((bad + 1)) && echo "$call $fault at $when: exit code 0 with the old result"
			fi
			if ! $(run 2 out) >/dev/null 2>message || [ "$(sums out)" != "$new" ]; then
				bad=$((bad + 1)) && echo "$call $fault at $when: the next run: $(cat message)"
			fi
			if [ -n "$(find . -maxdepth 1 -name '.out.tmp-*')" ]; then
				bad=$((bad + 1)) && echo "$call $fault at $when: the next run leaves $(echo .out.tmp-*)"
			fi
			n=$((n + 1))
		done
	done
done
echo "$points faults: $kept_old times the old result, $kept_new times the new one, $bad bad"
[ "$bad" = 0 ]
