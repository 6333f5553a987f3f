#!/usr/bin/env bash
# At least ten thousand requests generated from the service's OpenAPI description. Checks the responses against it:
# no 500, and no status, header, media type or schema that the description does not allow.
#
#   pip install schemathesis        (4.32.5 was used)
#   tests/load/schemathesis.sh [PATH OF marquis] [EXAMPLES A CALL] [FOLDER OF TABLES] [RUNS]
#
# Run N uses seed N (1, 2, 3 …) and ends with a verdict; the numbers of requests are added up.
#
# The service runs on a free local port with budgets of 10 ms and little memory, and ends with the script. The last
# result is in tests/load/SCHEMATHESIS.txt. `positive_data_acceptance` is left out: the grammar of a position is
# stricter than a schema can express, and an invalid text is refused with 400. So is `use_after_free`: DELETE cancels
# a job, which still exists afterwards and reports that it was cancelled.
set -euo pipefail
cd "$(dirname "$0")/../.."
marquis=${1:-target/release/marquis}
examples=${2:-500}
tables=${3:-tablebases}
runs=${4:-3}
state=$(mktemp -d)
# A progress stream ends with its job.
printf 'job_seconds = 1\nmemory = "64MiB"\n' > "$state/settings.toml"
"$marquis" serve --config "$state/settings.toml" --bind 127.0.0.1:0 --tables "$tables" --state "$state" \
  --budget-default-ms 5 --budget-max-ms 10 > "$state/address" 2> "$state/log" &
service=$!
trap 'kill "$service"; wait "$service" || true; rm -r "$state"' EXIT
until grep -q listening "$state/address"; do sleep 0.2; done
address=$(sed -n 's/^listening on //p' "$state/address")
failed=0
export SCHEMATHESIS_HOOKS=schemathesis_hooks PYTHONPATH=tests/load PYTHONDONTWRITEBYTECODE=1
for seed in $(seq "$runs"); do
  schemathesis run "$address/openapi.json" --phases examples,coverage,fuzzing,stateful --max-examples "$examples" --seed "$seed" \
    --checks all --exclude-checks positive_data_acceptance,use_after_free --continue-on-failure --request-timeout 60 \
    --generation-database none --no-color --output-truncate true || failed=$?
done
printf 'requests by status, as the service counted them:\n'
curl -s "$address/metrics" | sed -n 's/^marquis_http_requests_total{.*method="\([^"]*\)",status="\([0-9]*\)"} \([0-9]*\)$/\2 \1 \3/p' |
  awk '{ count[$1] += $3; all += $3 } END { for (status in count) print "  " status ": " count[status]; print "  all: " all }' | sort
if grep panicked "$state/log"; then failed=1; fi
exit "$failed"
