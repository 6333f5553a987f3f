#!/bin/sh
# A layer of Senet in strips on disk: the same bytes as in memory, also where it is killed ten times at random moments
# (SIGKILL), and with a flipped bit or a strip that is cut short nothing but its name.
#
#   sh tests/long/senet-strips.sh target/release/marquis [5v1 [600MiB]] > tests/long/SENET-STRIPS.txt
#
# The last word is a limit of memory with which the largest layer does not fit into it.
set -eu
marquis=$1
pieces=${2:-5v1}
little=${3:-600MiB}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sums() {
    (cd "$work/$1/senet" && for file in *.mqt; do b3sum "$file" 2> /dev/null || sha256sum "$file"; done)
}
same() {
    if [ "$(sums "$1")" = "$expected" ]; then echo "$1: the same bytes"; else echo "$1: OTHER BYTES"; failed=1; fi
}
strips() {
    find "$work/$1/senet" -name '.*.estimates.*.checkpoint' -o -name '.*.bounds.*.checkpoint' 2> /dev/null | sort
}

failed=0
"$marquis" generate senet --pieces "$pieces" --out "$work/memory" > "$work/memory.log" 2>&1
expected=$(sums memory)
echo "$pieces in memory"
echo "$expected"
begun=$(date +%s)
"$marquis" generate senet --pieces "$pieces" --out "$work/disk" --memory "$little" > "$work/disk.log" 2>&1
whole=$(($(date +%s) - begun))
same disk

kills=0
in_strips=0
while [ "$kills" -lt 10 ]; do
    "$marquis" generate senet --pieces "$pieces" --out "$work/killed" --memory "$little" > "$work/killed.log" 2>&1 &
    process=$!
    draw=$(od -An -N2 -tu2 /dev/urandom)
    moment=$(awk -v draw="$draw" -v most="$whole" 'BEGIN { printf "%.2f", 0.2 + draw / 65536 * most / 4 }')
    sleep "$moment"
    if kill -9 "$process" 2> /dev/null; then
        wait "$process" 2> /dev/null || true
        kills=$((kills + 1))
        left=$(strips killed | wc -l)
        [ "$left" -gt 0 ] && in_strips=$((in_strips + 1))
        echo "killed after $moment s: $(ls "$work/killed/senet" 2> /dev/null | grep -c mqt) tables, $left strips"
        if [ "$left" -gt 0 ] && [ ! -d "$work/damaged" ]; then cp -a "$work/killed" "$work/damaged"; fi
    else
        wait "$process"
        same killed
        rm -rf "$work/killed"
    fi
done
echo "$in_strips of the kills left strips"
"$marquis" generate senet --pieces "$pieces" --out "$work/killed" --memory "$little" > "$work/killed.log" 2>&1
same killed

named() {
    if "$marquis" generate senet --pieces "$pieces" --out "$work/damaged" --memory "$little" > "$work/damaged.log" 2>&1; then
        echo "$1: NOT FOUND"
        failed=1
    elif grep -q "$(basename "$file")" "$work/damaged.log"; then
        echo "$1: found and named"
    else
        echo "$1: NOT NAMED"
        failed=1
    fi
}
if [ -d "$work/damaged" ]; then
    file=$(strips damaged | tail -1)
    cp "$file" "$work/strip"
    cp -a "$work/damaged" "$work/spare"
    size=$(wc -c < "$file")
    head -c $((size / 2)) "$work/strip" > "$file"
    named "cut in the middle"
    rm -rf "$work/damaged"
    cp -a "$work/spare" "$work/damaged"
    # The last byte of the last tile, which is another one with its bits turned round.
    last=$(tail -c 1 "$work/strip" | od -An -tu1)
    head -c $((size - 1)) "$work/strip" > "$file"
    printf "\\$(printf '%03o' $((last ^ 16)))" >> "$file"
    named "one bit flipped"
fi
exit "$failed"
