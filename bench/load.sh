#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# How fast, and in how much memory, kymo-cli loads a run.
#
#   bench/load.sh RUN [TIMES]      the best of TIMES (3); KYMO_CLI picks the
#                                  program, build/src/cli/kymo-cli otherwise

set -eu

if [ $# -lt 1 ]; then
  echo "Usage: bench/load.sh RUN [TIMES]" >&2
  exit 2
fi
run=$1
times=${2:-3}
cli=${KYMO_CLI:-$(dirname "$0")/../build/src/cli/kymo-cli}

[ -x /usr/bin/time ] || { echo "GNU time is needed (package time)." >&2; exit 1; }
[ -x "$cli" ] || { echo "$cli is not built." >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

i=0
while [ "$i" -lt "$times" ]; do
  /usr/bin/time -f '%e %U %M' -a -o "$work/times" \
    "$cli" info "$run" --no-cache --quiet --format json -o "$work/info.json"
  i=$((i + 1))
done

python3 - "$work" "$(du -Lsb "$run" | cut -f1)" <<'END'
import json
import sys

work, size = sys.argv[1], int(sys.argv[2])
info = json.load(open(f"{work}/info.json"))
rows = [[float(cell) for cell in line.split()] for line in open(f"{work}/times")]
wall, user, memory = min(rows)
records, wall = info["records"], max(wall, 0.01)
print(f"records            {records:,}")
print(f"PEs                {info['locations']:,}")
print(f"files              {size / 1e6:.1f} MB")
print(f"load time          {wall:.2f} s (best of {len(rows)}; {user:.2f} s of CPU)")
print(f"records per second {records / wall:,.0f}")
print(f"peak memory        {memory / 1024:.0f} MiB"
      f" ({memory * 1024 / max(records, 1):.1f} bytes a record)")
END
