# Part of the other scripts here: `walk PLIES MOST` writes positions reached by play from the start of Squish (side 3)
# to `$work/positions`, at most MOST of them, using the tables in `$work/set` for each ply.
# Source it with `marquis` set to the program and `work` to a folder.
walk() {
    echo "b1w/1wb1/wb1wb/1wb1/b1w w" > "$work/positions"
    for ply in $(seq "$1"); do
        "$marquis" probe squish - --tables "$work/set" --json < "$work/positions" |
            grep -o '"position":"[^"]*"' | cut -d '"' -f 4 | sort -u > "$work/more"
        cat "$work/positions" "$work/more" | sort -u > "$work/all"
        shuf -n "$2" --random-source="$work/set/B3SUMS" "$work/all" | sort > "$work/positions"
    done
}
