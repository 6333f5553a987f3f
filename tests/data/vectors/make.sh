#!/usr/bin/env bash
# Writes the samples of test vectors in this folder: a thousand positions a game, on several boards.
# MARQUIS names the program, by default the one that was built.
set -euo pipefail
cd "$(dirname "$0")"
marquis=$(realpath "${MARQUIS:-../../../target/release/marquis}")

sample() { # GAME NUMBER START… -- OPTIONS
  local game=$1 number=$2 start starts=()
  shift 2
  while [ "$1" != -- ]; do starts+=("$1"); shift; done
  shift
  for start in "${starts[@]}"; do "$marquis" vectors "$game" "$start" --count "$number" "$@" 2> /dev/null; done
}

small='w1w/4/1ooo1/4/b1b w 0-0 2'
middle='w1wb/5/1oooo1/1oooo2/2ooo1/1oo2/b1wb w'
full='w3b/6/2ooo2/2oooo2/b1ooooo1w/2oooo2/2ooo2/6/w3b w 0-0 10'
for game in squish flowish; do sample "$game" 334 start:3 start:4 start:5 -- | gzip -9n > "$game.jsonl.gz"; done
for game in swish squeeze; do
  for rule in loss pass; do sample "$game" 167 "$small" "$middle" "$full" -- --immobile "$rule"; done | gzip -9n > "$game.jsonl.gz"
done
sample squinch 250 start:3x3 start:2x8 start:5x3 start:8x8x3 -- | gzip -9n > squinch.jsonl.gz
sample senet 500 start:2 start -- | gzip -9n > senet.jsonl.gz
