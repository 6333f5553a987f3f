#!/usr/bin/env bash
# Repeats the README's test command on fresh clones, to find flaky tests.
#
#   tests/ten-times.sh [RUNS [BUSY [FOLDER]]]
#
# RUNS runs (10); the last BUSY of them (half) next to two busy loops. Each run clones this repository's HEAD
# to FOLDER/clone (by default a new temporary folder), always the same path, with the files dated like
# the commit. All runs share FOLDER/target, so only the first one compiles. Prints one line a run; the output is in
# FOLDER/RUN.log. The exit code is 0 if every run passed.
set -euo pipefail

runs=${1:-10}
busy=${2:-$((runs / 2))}
folder=${3:-$(mktemp -d)}
source=$(cd "$(dirname "$0")/.." && pwd)
loops=()

quiet() {
  for loop in "${loops[@]}"; do kill "$loop" 2> /dev/null || true; done
  loops=()
}
trap quiet EXIT

mkdir -p "$folder"
export CARGO_TARGET_DIR=$folder/target
failed=0
for run in $(seq "$runs"); do
  rm -rf "$folder/clone"
  git clone -q "$source" "$folder/clone"
  (cd "$folder/clone" && git ls-files -z | xargs -0 touch -d "$(git log -1 --format=%cI)")
  # Exactly as a reader of the README would type it.
  command=$(sed -n 's/^\$ \(cargo test .*\)$/\1/p' "$folder/clone/README.md" | head -n 1)
  beside='alone'
  if [ "$run" -gt $((runs - busy)) ]; then
    beside='beside two busy loops'
    for _ in 1 2; do
      sh -c 'while :; do :; done' &
      loops+=($!)
    done
  fi
  started=$SECONDS
  if (cd "$folder/clone" && eval "$command") > "$folder/$run.log" 2>&1; then said=passed; else
    said="FAILED: $(grep -hE '^test .* FAILED|^error' "$folder/$run.log" | sort -u | head -n 3 | tr '\n' ';')"
    failed=$((failed + 1))
  fi
  passed=$(awk '/^test result:/ {sum += $4} END {print sum + 0}' "$folder/$run.log")
  quiet
  echo "run $run, $beside: $said, $passed tests, $((SECONDS - started)) s, log $folder/$run.log"
done
[ "$failed" -eq 0 ]
