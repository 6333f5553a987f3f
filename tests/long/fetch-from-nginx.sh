#!/bin/sh
# Fetches tables from a real web server, nginx: in one go; from a slow server while the program is killed ten
# times at random moments (SIGKILL); from a server that is killed halfway and restarted after some seconds; from
# one that always responds 500; and from one whose files have changed.
#
#   apt-get install nginx-light        (1.22.1 was used)
#   sh tests/long/fetch-from-nginx.sh target/release/marquis [nginx] > tests/long/FETCH-FROM-NGINX.txt
set -eu
marquis=$1
nginx=${2:-nginx}
. "$(dirname "$0")/nginx.sh"
configure 'limit_rate 300k;' 'return 500;'
failed=0
same() {
    if diff -r "$work/set/squish-s3" "$work/$1/squish-s3" > "$work/diff" &&
        diff "$work/set/B3SUMS" "$work/$1/B3SUMS" && diff "$work/set/MANIFEST.tsv" "$work/$1/MANIFEST.tsv"
    then echo "$1: the same bytes"; else echo "$1: OTHER BYTES"; head "$work/diff"; failed=1; fi
}
fetch() {
    out=$1 server=$2
    shift 2
    "$marquis" fetch-tables "http://127.0.0.1:$((port + server))/set" --game squish --side 3 --pieces 6v6 --out "$work/$out" "$@"
}
refused() {
    code=0
    fetch "$@" > "$work/said" 2>&1 || code=$?
    echo "$1: exit code $code: $(grep -o 'error: .*' "$work/said" | sed "s/$port/PORT/; s/$((port + 2))/PORT/" | cut -c 1-200)"
    if [ "$code" != 4 ]; then failed=1; fi
}

"$marquis" generate squish --side 3 --pieces 6v6 --out "$work/set" > "$work/log" 2>&1
echo "the set: $(find "$work/set" -name '*.mqt' | wc -l) tables, $(cat "$work"/set/squish-s3/*.mqt | wc -c) bytes; $("$nginx" -v 2>&1)"
start

fetch one-go 0 | tail -n 1 | sed "s/$port/PORT/"
same one-go

killed=0
for wait in 1.9 0.7 2.6 1.2 0.4 3.1 1.5 0.9 2.2 1.7; do
    timeout --signal=KILL "$wait" "$marquis" fetch-tables "http://127.0.0.1:$((port + 1))/set" --game squish --side 3 \
        --pieces 6v6 --out "$work/killed" > /dev/null 2>&1 || killed=$((killed + 1))
    echo "killed after $wait s: $(find "$work/killed" -name '[0-9]*.mqt' 2> /dev/null | wc -l) tables," \
        "$(cat "$work"/killed/squish-s3/.*.part 2> /dev/null | wc -c) bytes of the next"
done
echo "killed $killed times"
fetch killed 1 | tail -n 1 | sed "s/$((port + 1))/PORT/"
same killed

fetch server-killed 1 > "$work/server-killed.log" 2>&1 &
client=$!
sleep 2
stop
sleep 8
start
code=0
wait "$client" || code=$?
echo "the server was killed and away for 8 s: exit code $code"
tail -n 1 "$work/server-killed.log" | sed "s/$((port + 1))/PORT/"
same server-killed

refused says-500 2 --patience 2
# Changes one byte of one table but not its time and length.
cp -a "$work/set/squish-s3/04v04.mqt" "$work/sound.mqt"
printf X | dd of="$work/set/squish-s3/04v04.mqt" bs=1 seek=1000 conv=notrunc 2> /dev/null
touch -r "$work/sound.mqt" "$work/set/squish-s3/04v04.mqt"
refused wrong-byte 0
if [ -e "$work/wrong-byte/squish-s3/04v04.mqt" ]; then echo 'wrong-byte: A DAMAGED TABLE'; failed=1; fi
cp -a "$work/sound.mqt" "$work/set/squish-s3/04v04.mqt"
fetch wrong-byte 0 | tail -n 1 | sed "s/$port/PORT/"
same wrong-byte
exit "$failed"
