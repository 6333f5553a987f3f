#!/bin/sh
# Tables in a bucket, on the S3 simulator moto: compares answers and fetched files with those of a folder, and tries
# the service, wrong credentials, a missing bucket and a stopped server.
#
#   pip install 'moto[server]' boto3        (5.2.1 and 1.43.11 were used)
#   cargo build --release --features remote
#   sh tests/long/read-from-s3.sh target/release/marquis > tests/long/READ-FROM-S3.txt
set -eu
marquis=$1
. "$(dirname "$0")/walk.sh"
work=$(mktemp -d)
port=$((20000 + $$ % 20000))
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$work"' EXIT
failed=0
said() { sed "s/127.0.0.1:[0-9]*/127.0.0.1:PORT/g" "$1" | tail -1 | cut -d ";" -f 1; }

export AWS_ENDPOINT="http://127.0.0.1:$port" AWS_ALLOW_HTTP=true AWS_REGION=us-east-1
export AWS_ACCESS_KEY_ID=reader AWS_SECRET_ACCESS_KEY=secret MARQUIS_CACHE="$work/cache"
bucket=s3://tables/set

"$marquis" generate squish --side 3 --pieces 6v6 --out "$work/set" > "$work/log" 2>&1
files=$(find "$work/set" -type f | wc -l)
echo "the set: $files files, $(cat "$work"/set/squish-s3/*.mqt | wc -c) bytes in tables; moto $(pip list 2> /dev/null | sed -n 's/^moto *//p')"

# [ENVIRONMENT…]: further environment variables of the server.
start() {
    env "$@" moto_server -H 127.0.0.1 -p "$port" > "$work/moto.log" 2>&1 &
    server=$!
    python3 - "$work/set" << 'END'
import os, pathlib, sys, time, urllib.request, boto3
endpoint = os.environ["AWS_ENDPOINT"]
for _ in range(300):
    try:
        urllib.request.urlopen(endpoint + "/moto-api/data.json")
        break
    except OSError:
        time.sleep(0.1)
bucket = boto3.client("s3", endpoint_url=endpoint)
bucket.create_bucket(Bucket="tables")
root = pathlib.Path(sys.argv[1])
for path in root.rglob("*"):
    if path.is_file():
        bucket.put_object(Bucket="tables", Key=f"set/{path.relative_to(root)}", Body=path.read_bytes())
END
}
stop() { kill "$server"; wait "$server" 2> /dev/null || true; }
start

walk 4 500
ask() { # NAME PLACE ARGUMENT…
    name=$1 place=$2
    shift 2
    "$marquis" probe squish - --tables "$place" --json "$@" < "$work/positions" > "$work/$name.answers"
    same="the same answers"
    cmp -s "$work/folder.answers" "$work/$name.answers" || { same="OTHER ANSWERS"; failed=1; }
    echo "$name: $(wc -l < "$work/$name.answers") answers with all moves; $same"
}
ask folder "$work/set"
ask bucket "$bucket"
ask bucket-kept "$bucket"
ask bucket-nothing-kept "$bucket" --tables-cache 0

"$marquis" fetch-tables "$bucket" --game squish --side 3 --pieces 5v5 --out "$work/fetched" > "$work/said" 2>&1
for path in $(cd "$work/fetched" && find . -name '*.mqt'); do
    cmp "$work/set/$path" "$work/fetched/$path" || failed=1
done
echo "fetched: $(find "$work/fetched" -name '*.mqt' | wc -l) tables, the same bytes"

"$marquis" serve --tables "$bucket" --no-starter --bind 127.0.0.1:0 > "$work/listens" 2> "$work/log" &
service=$!
until [ -s "$work/listens" ]; do kill -0 "$service"; sleep 0.1; done
position=$(sed 's/ .*//; s/$/_w/; 1q' "$work/positions")
curl -s "$(sed 's/listening on //' "$work/listens")/v1/squish?position=$position" > "$work/served"
"$marquis" probe squish "$(sed 's/ .*/ w/; 1q' "$work/positions")" --tables "$work/set" --json > "$work/probed"
value() { python3 -c 'import json,sys; a = json.load(open(sys.argv[1])); print(a["proof"], a["value"], a["plies"])' "$1"; }
echo "served: $(value "$work/served"), from the folder: $(value "$work/probed")"
[ "$(value "$work/served")" = "$(value "$work/probed")" ] || failed=1
kill -INT "$service"; wait "$service" || true

# NAME WORDS COMMAND…: must end with exit code 4 and print these words.
refused() {
    name=$1 words=$2 code=0
    shift 2
    "$@" < "$work/positions" > "$work/answered" 2> "$work/said" || code=$?
    echo "$name: exit code $code, $(wc -c < "$work/answered") bytes of answers: $(said "$work/said")"
    grep -q "$words" "$work/said" && [ "$code" = 4 ] || failed=1
}
refused no-such-bucket 'nothing is there' "$marquis" probe squish - --tables s3://tables/nowhere
stop
refused gone 'not reached' "$marquis" probe squish - --tables "$bucket"
# After the bucket is filled the server checks credentials, and none are registered.
start INITIAL_NO_AUTH_ACTION_COUNT=$((files + 1))
refused wrong-credentials refused "$marquis" probe squish - --tables "$bucket" --tables-cache 0
refused wrong-credentials-serve refused timeout 60 "$marquis" serve --tables "$bucket" --no-starter --bind 127.0.0.1:0
refused wrong-credentials-fetch refused "$marquis" fetch-tables "$bucket" --game squish --side 3 --out "$work/none"
stop
exit $failed
