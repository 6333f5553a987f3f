#!/bin/sh
# Builds tables of Senet in several ways, which must give the same bytes: in one go, layer by layer, with one
# thread and with two, with little memory, and killed ten times at random moments (SIGKILL).
#
#   sh tests/long/senet-same-bytes.sh target/release/marquis [3v3] > tests/long/SENET-SAME-BYTES.txt
set -eu
marquis=$1
pieces=${2:-3v3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() {
    folder=$1
    shift
    "$marquis" generate senet --out "$work/$folder" "$@" > "$work/$folder.log" 2>&1
}
sums() {
    (cd "$work/$1/senet" && for file in *.mqt; do b3sum "$file" 2> /dev/null || sha256sum "$file"; done)
}
same() {
    if [ "$(sums "$1")" = "$expected" ]; then echo "$1: the same bytes"; else echo "$1: OTHER BYTES"; failed=1; fi
}

failed=0
started=$(date +%s)
build one-go --pieces "$pieces"
whole=$(($(date +%s) - started))
expected=$(sums one-go)
echo "$pieces in one go: $whole s"
echo "$expected"

for layer in 1v1 2v2 3v2 "$pieces"; do build in-turn --pieces "$layer"; done
same in-turn
build one-thread --pieces "$pieces" --threads 1
same one-thread
build two-threads --pieces "$pieces" --threads 2
same two-threads
build little-memory --pieces "$pieces" --memory 960MiB
same little-memory

kills=0
while [ "$kills" -lt 10 ]; do
    "$marquis" generate senet --pieces "$pieces" --out "$work/killed" --checkpoint 1 > "$work/killed.log" 2>&1 &
    process=$!
    draw=$(od -An -N2 -tu2 /dev/urandom)
    moment=$(awk -v draw="$draw" -v most="$whole" 'BEGIN { printf "%.2f", 0.2 + draw / 65536 * most / 2 }')
    sleep "$moment"
    if kill -9 "$process" 2> /dev/null; then
        wait "$process" 2> /dev/null || true
        kills=$((kills + 1))
        echo "killed after $moment s: $(ls "$work/killed/senet" 2> /dev/null | grep -c mqt) tables"
    else
        wait "$process"
        same killed
        rm -rf "$work/killed"
    fi
done
build killed --pieces "$pieces"
same killed
exit "$failed"
