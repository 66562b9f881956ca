# What the timing scripts share: runs on one core, and the medians of processor seconds.
# To be sourced, with a folder in $work.

pin=()
# Where taskset is missing (macOS) nothing is pinned.
if command -v taskset >/dev/null; then pin=(taskset -c "${CORE:-0}"); fi

# seconds FILE COMMAND...: appends the processor time of one run to FILE.times, prints the answer
seconds() {
    local file=$1 TIMEFORMAT='%U %S'
    shift
    { time ${pin[@]+"${pin[@]}"} "$@"; } 2>>"$work/$file.times"
}

# median FILE: of the times in FILE.times
median() {
    awk '{ print $1 + $2 }' "$work/$1.times" | sort -n |
        awk '{ t[NR] = $1 } END { print (t[int((NR + 1) / 2)] + t[int(NR / 2) + 1]) / 2 }'
}
