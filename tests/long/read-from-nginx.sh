#!/bin/sh
# Reads remote tables from a real web server, nginx. Compares the answers from a folder, from the server with an empty
# cache, with a filled cache and without a cache.
# The server is then killed and restarted.
#
#   apt-get install nginx-light        (1.22.1 was used)
#   sh tests/long/read-from-nginx.sh target/release/marquis [nginx] > tests/long/READ-FROM-NGINX.txt
set -eu
marquis=$1
nginx=${2:-nginx}
. "$(dirname "$0")/nginx.sh"
. "$(dirname "$0")/walk.sh"
configure
failed=0
export MARQUIS_CACHE="$work/cache"
url="http://127.0.0.1:$port/set"

# Positions reached by play from the start, a few plies deep.
"$marquis" generate squish --side 3 --pieces 6v6 --out "$work/set" > "$work/log" 2>&1
echo "the set: $(find "$work/set" -name '*.mqt' | wc -l) tables, $(cat "$work"/set/squish-s3/*.mqt | wc -c) bytes; $("$nginx" -v 2>&1)"
walk 6 1500
echo "$(wc -l < "$work/positions") positions, each with all of its moves"

ask() { # NAME PLACE ARGUMENT…
    name=$1 place=$2
    shift 2
    before=$(wc -l < "$work/access.log" 2> /dev/null || echo 0)
    started=$(date +%s%N)
    "$marquis" probe squish - --tables "$place" --json "$@" < "$work/positions" > "$work/$name.answers"
    ended=$(date +%s%N)
    after=$(wc -l < "$work/access.log" 2> /dev/null || echo 0)
    kept=$(du -sb "$work/cache" 2> /dev/null | cut -f 1 || echo 0)
    rate=$(($(wc -l < "$work/positions") * 1000000000 / (ended - started)))
    if cmp -s "$work/folder.answers" "$work/$name.answers"; then same="the same answers"; else same="OTHER ANSWERS"; failed=1; fi
    echo "$name: $rate answers a second, $(((ended - started) / 1000000)) ms in all, $((after - before)) requests, ${kept:-0} bytes kept; $same"
}
start
ask folder "$work/set"
ask folder "$work/set"
ask cold "$url"
ask kept "$url"
ask nothing-kept "$url" --tables-cache 0
ask little-kept "$url" --tables-cache 300KiB
stop
code=0
"$marquis" probe squish - --tables "$url" < "$work/positions" > "$work/gone" 2> "$work/said" || code=$?
echo "server gone: exit code $code, $(wc -c < "$work/gone") bytes of answers: $(sed "s/$port/PORT/" "$work/said" | cut -c 1-90)"
[ "$code" = 4 ] || failed=1
start
ask back "$url"
exit $failed
