#!/bin/sh
# Builds by several ranks, one of which is killed (SIGKILL) at twenty moments. Another number of ranks resumes each
# build, and one process without MPI finishes: the bytes equal those of an undisturbed single process.
#
#   apt-get install openmpi-bin libopenmpi-dev libclang-dev
#   cargo build --release --locked --features mpi
#   sh tests/long/mpi-killed.sh target/release/marquis > tests/long/MPI-KILLED.txt
set -eu
marquis=$1
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
what='squish --side 4 --pieces 4v3'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

mpirun --version | head -n 1
# Splits into words on purpose.
# shellcheck disable=SC2086
"$marquis" generate $what --out "$work/one" > "$work/log" 2>&1
echo "$what by one process: $(find "$work/one" -name '*.mqt' | wc -l) tables, $(cat "$work"/one/*/*.mqt | wc -c) bytes"

killed=0 run=0 failed=0

# Measures an undisturbed build by three ranks, so that kills happen halfway on any machine.
started=$(date +%s%N)
# shellcheck disable=SC2086
mpirun -n 3 "$marquis" generate $what --out "$work/t" --threads 1 > "$work/said" 2>&1
whole=$((($(date +%s%N) - started) / 1000000))
diff -r "$work/one" "$work/t" > "$work/diff" && echo 'three ranks that nobody kills: the same bytes' || failed=1
rm -r "$work/t"
# That percentage of it, in seconds.
part() { awk -v whole="$whole" -v share="$1" 'BEGIN { printf "%.2f", whole * share / 100000 }'; }

while [ "$killed" -lt 20 ] && [ "$run" -lt 80 ]; do
    run=$((run + 1))
    ranks=$((run % 3 + 2))
    # Between a fifth and nine tenths of it.
    wait=$(part $((20 + run * 37 % 71)))
    # shellcheck disable=SC2086
    mpirun -n "$ranks" "$marquis" generate $what --out "$work/t" --threads 1 --checkpoint 1 > "$work/said" 2>&1 &
    launcher=$!
    sleep "$wait"
    victim=$(cut -d ' ' -f $((run % ranks + 1)) "/proc/$launcher/task/$launcher/children" 2> /dev/null || true)
    if [ -n "$victim" ] && kill -9 "$victim" 2> /dev/null; then killed=$((killed + 1)); fi
    code=0
    wait "$launcher" || code=$?
    parts=$(find "$work/t" -name '.*.checkpoint' 2> /dev/null | wc -l)
    echo "$ranks ranks, one killed after $wait s: exit code $code," \
        "$(find "$work/t" -name '[0-9]*.mqt' 2> /dev/null | wc -l) tables, $parts files of checkpoints;" \
        "$(grep -o 'rank [0-9]* with PID [0-9]* on node [^ ]* exited on signal 9' "$work/said" | sed 's/with PID.*exited/exited/')"
    if [ "$code" = 0 ]; then
        # Finished before the kill: start again.
        diff -r "$work/one" "$work/t" > "$work/diff" && echo 'finished: the same bytes' || { echo 'OTHER BYTES'; failed=1; }
        rm -r "$work/t"
    fi
done
if [ "$killed" -lt 20 ]; then failed=1; fi
echo "killed $killed times in $run runs; output of the last one:"
grep -v '^squish' "$work/said" | grep . | tail -n 8 | sed 's/PID [0-9]*/PID …/; s/node [^ ]*/node …/'
# shellcheck disable=SC2086
mpirun -n 3 "$marquis" generate $what --out "$work/t" --threads 1 > "$work/said" 2>&1
if diff -r "$work/one" "$work/t" > "$work/diff"; then echo 'three ranks went on: the same bytes'; else
    echo 'three ranks went on: OTHER BYTES'; head "$work/diff"; failed=1
fi

# Stopped in the middle of the largest layer by ranks and finished by one process, and vice versa.
rm -r "$work/t"
# shellcheck disable=SC2086
mpirun -n 3 "$marquis" generate $what --out "$work/t" --threads 1 --checkpoint 1 > "$work/said" 2>&1 &
launcher=$!
sleep "$(part 70)"
kill -9 "$(cut -d ' ' -f 2 "/proc/$launcher/task/$launcher/children")"
wait "$launcher" || true
find "$work/t" -name '.*.checkpoint' | sed 's/.*\///' | sort | tr '\n' ' '
# shellcheck disable=SC2086
"$marquis" generate $what --out "$work/t" > "$work/said" 2>&1
if diff -r "$work/one" "$work/t" > "$work/diff"; then echo '→ one process went on: the same bytes'; else
    echo '→ one process went on: OTHER BYTES'; head "$work/diff"; failed=1
fi
exit "$failed"
