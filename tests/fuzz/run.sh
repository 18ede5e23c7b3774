#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh BUILD-FOLDER SECONDS [TARGET...]: searches each target for so long,
# from its corpus on. What is new stays in BUILD-FOLDER/corpus; an input that
# breaks something is left in BUILD-FOLDER/found as TARGET-crash-*, and the exit
# status is 1.
# To run each target for so many executions, whatever is found meanwhile, and
# print a table of executions, executions a second and findings:
# run.sh BUILD-FOLDER runs=N [TARGET...]
# To bring of the new what reaches other code into the repository:
# run.sh BUILD-FOLDER merge [TARGET...]
# To add inputs, under their names:
# run.sh BUILD-FOLDER add TARGET FILE...
# The inputs of a target are packed, as corpus/TARGET.tar.gz.
# MAX_LEN in the environment: longest input that is made (as in longest_of).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$here/../../build-aux/lsan.supp}
# The library of OTF2 asks for as much as a file says, and bears it when it does not get it.
# Short stacks of allocations and a small quarantine save a fifth of the time.
ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1:max_allocation_size_mb=1024:malloc_context_size=6:quarantine_size_mb=16}
export LSAN_OPTIONS ASAN_OPTIONS
how=$2
shift 2

# unpack TARGET FOLDER: the inputs of a target
unpack () {
  [ ! -f "$here/corpus/$1.tar.gz" ] || tar -xzf "$here/corpus/$1.tar.gz" -C "$2"
}

# pack TARGET FOLDER: all plain files; the same files make the same bytes
pack () {
  (cd "$2" && find . -type f -printf '%P\n' | LC_ALL=C sort \
    | tar --format=ustar --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 \
      -cf - -T - | gzip -9n) > "$here/corpus/$1.tar.gz"
}

if [ "$how" = add ]; then
  target=$1
  shift
  new=$(mktemp -d)
  unpack "$target" "$new"
  cp "$@" "$new"
  pack "$target" "$new"
  rm -r "$new"
  exit
fi

if [ $# -eq 0 ]; then
  for file in "$build"/tests/fuzz/fuzz-*; do
    [ -f "$file" ] && set -- "$@" "${file##*/fuzz-}"
  done
fi

# Some forty records of a trace, or lines of a log, tell as much as eight times as many.
longest_of () {
  case $1 in
    cache) echo 65536 ;;    # columns are filled up
    tau) echo 1024 ;;
    log | binary) echo 2048 ;;
    *) echo 8192 ;;
  esac
}

# Prints the options of a target, one a line.
options_of () {
  longest=${MAX_LEN:-$(longest_of "$1")}
  printf '%s\n' -rss_limit_mb=2048 -malloc_limit_mb=4096 -timeout=10 "-max_len=$longest" \
    -print_final_stats=1 -entropic=0
  # The library of OTF2 leaks in damaged archives (build-aux/lsan.supp); looking for it after
  # each of them takes most of the time. What leaks is told at the end.
  [ "$1" = otf2 ] && echo -detect_leaks=0
  [ ! -f "$here/$1.dict" ] || echo "-dict=$here/$1.dict"
}

stat_of () {
  sed -n "s/^stat::$1: *//p" "$2" | tail -n 1
}

# Goes on after each finding until all executions are done, but not for ever.
run_for () {
  target=$1 left=$2 tries=0 began=$(date +%s)
  while [ "$left" -gt 0 ] && [ "$tries" -lt 20 ]; do
    log=$build/found/$target-$tries.log
    # shellcheck disable=SC2046
    "$program" $(options_of "$target") -runs="$left" -verbosity=0 \
      -artifact_prefix="$build/found/$target-" "$found" "$seeds" > "$log" 2>&1 \
      || status=1
    # An input of an earlier search that breaks something now would end each one at its begin.
    for broken in "$build/found/$target"-*-*; do
      rm -f "$found/${broken##*-}"
    done
    done_now=$(stat_of number_of_executed_units "$log")
    left=$((left - ${done_now:-0}))
    tries=$((tries + 1))
    [ "${done_now:-0}" -gt 0 ] || break
  done
  took=$(($(date +%s) - began))
  executed=$(($2 - left))
  count=0
  for kind in crash oom timeout leak; do
    count=$((count + $(find "$build/found" -name "$target-$kind-*" | wc -l)))
  done
  printf '%-14s %12d %10d %9d\n' "$target" "$executed" $((executed / (took > 0 ? took : 1))) \
    "$count"
}

status=0
[ "${how#runs=}" = "$how" ] || printf '%-14s %12s %10s %9s\n' target executions 'a second' findings
for target in "$@"; do
  program=$build/tests/fuzz/fuzz-$target
  found=$build/corpus/$target
  seeds=$build/seeds/$target
  rm -rf "$seeds"
  mkdir -p "$found" "$build/found" "$seeds"
  unpack "$target" "$seeds"
  case $how in
    runs=*)
      run_for "$target" "${how#runs=}" ;;
    merge)
      new=$(mktemp -d)
      longest=1500
      [ "$target" = cache ] && longest=65536
      [ "$target" = folder ] && longest=6000    # several files in one
      unpack "$target" "$new"
      "$program" -merge=1 -use_counters=0 -max_len="$longest" "$new" "$found"
      pack "$target" "$new"
      rm -r "$new" ;;
    *)
      # shellcheck disable=SC2046
      "$program" $(options_of "$target") -max_total_time="$how" \
        -artifact_prefix="$build/found/$target-" "$found" "$seeds" ;;
  esac
done
exit "$status"
