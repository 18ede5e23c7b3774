#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh BUILD-FOLDER SECONDS [TARGET...]: searches each target for so long,
# from its corpus on. What is new stays in BUILD-FOLDER/corpus; an input that
# breaks something is left there as crash-*, and the exit status is 1.
# To bring of the new what reaches other code into the repository:
# run.sh BUILD-FOLDER merge [TARGET...]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$here/../../build-aux/lsan.supp}
# The library of OTF2 asks for as much as a file says, and bears it when it does not get it.
ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1}
export LSAN_OPTIONS ASAN_OPTIONS
seconds=$2
shift 2
if [ $# -eq 0 ]; then
  for file in "$build"/tests/fuzz/fuzz-*; do
    [ -f "$file" ] && set -- "$@" "${file##*/fuzz-}"
  done
fi
for target in "$@"; do
  program=$build/tests/fuzz/fuzz-$target
  found=$build/corpus/$target
  mkdir -p "$found" "$here/corpus/$target"
  set -- -rss_limit_mb=2048 -timeout=10 -max_len=65536
  if [ -f "$here/$target.dict" ]; then
    set -- "$@" "-dict=$here/$target.dict"
  fi
  if [ "$seconds" = merge ]; then
    new=$(mktemp -d)
    longest=1500
    [ "$target" = cache ] && longest=65536    # columns are filled up
    "$program" -merge=1 -use_counters=0 -max_len="$longest" "$new" "$found"
    cp -n "$new"/* "$here/corpus/$target"
    rm -r "$new"
  else
    "$program" "$@" -max_total_time="$seconds" -print_final_stats=1 \
      -artifact_prefix="$found/" "$found" "$here/corpus/$target"
  fi
done
