#!/bin/sh
# Fills the disk during a build: by one process in memory, in strips, and by three ranks. Expects a clear error,
# intact finished tables, and the same bytes when the command is repeated with enough space. The disk is a tmpfs, so
# this needs root.
#
#   apt-get install openmpi-bin libopenmpi-dev libclang-dev
#   cargo build --release --locked --features mpi
#   sh tests/long/full-disk.sh target/release/marquis > tests/long/FULL-DISK.txt
set -eu
marquis=$1
work=$(mktemp -d)
disk=$work/disk
mkdir "$disk"
mount -t tmpfs -o size=1200m tmpfs "$disk"
trap 'umount "$disk"; rm -r "$work"' EXIT
what='squish --side 4 --pieces 4v3'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
failed=0

# Splits into words on purpose.
# shellcheck disable=SC2086
"$marquis" generate $what --out "$work/one" > "$work/log" 2>&1
echo "$what: $(find "$work/one" -name '*.mqt' | wc -l) tables, $(cat "$work"/one/*/*.mqt | wc -c) bytes"

# Fills the disk except for the given number of KiB.
fill() {
    rm -f "$disk/ballast"
    free=$(df --output=avail "$disk" | tail -n 1)
    if [ "$free" -gt "$1" ]; then head -c "$(((free - $1) * 1024))" /dev/zero > "$disk/ballast" 2> /dev/null || true; fi
}

# try HOW KIB COMMAND…: fills the disk up to some KiB when only the two largest layers are missing, until the
# build ends.
try() {
    how=$1 left=$2
    shift 2
    rm -rf "$disk/t"
    "$@" --checkpoint 1 > "$work/said" 2>&1 &
    build=$!
    while kill -0 "$build" 2> /dev/null && [ "$(find "$disk/t" -name '*.mqt' 2> /dev/null | wc -l)" -lt 13 ]; do
        sleep 0.1
    done
    fill "$left"
    code=0
    wait "$build" || code=$?
    echo
    echo "$how, $left KiB left: exit code $code, $(find "$disk/t" -name '*.mqt' | wc -l) tables;"
    grep -i -E 'space|full|No such|cannot' "$work/said" | sed "s|$disk|DISK|g" | sort -u | head -n 4
    damaged=0
    for table in "$disk"/t/*/*.mqt; do
        name=${table#"$disk"/t/}
        cmp -s "$table" "$work/one/$name" || damaged=$((damaged + 1))
    done
    echo "of the tables that are there $damaged have other bytes"
    if [ "$damaged" != 0 ]; then failed=1; fi
    rm "$disk/ballast"
    "$@" > "$work/said" 2>&1 || { echo "did not resume: $(tail -n 1 "$work/said")"; failed=1; }
    if diff -r "$work/one" "$disk/t" > "$work/diff"; then echo 'resumed: the same bytes'; else
        echo 'resumed: OTHER BYTES'; head "$work/diff"; failed=1
    fi
    if [ "$code" != 4 ]; then echo 'NOT ENDED BY THE FULL DISK'; failed=1; fi
}

# shellcheck disable=SC2086
for left in 100 4000; do
    try 'one process, in memory' $left "$marquis" generate $what --out "$disk/t"
    try 'one process, in strips' $left "$marquis" generate $what --out "$disk/t" --memory 193359KiB
    try 'three ranks' $left mpirun -n 3 "$marquis" generate $what --out "$disk/t" --threads 1
done
exit $failed
