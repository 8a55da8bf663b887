#!/usr/bin/env bash
# Ratios of whole processes, each pair measured in turn in one run, the median of three:
#   film ÷ ffmpeg encoding the same raw frames from a file, with each encoder;
#   audit ÷ ffmpeg decoding the film to raw frames through a pipe;
# then, once each: the peak memory of our own process, seconds to draw and convert all frames on
# one thread, and what a frame of a film of 100,000 events costs against a frame of the demo.
# Needs ffmpeg, some 6 GB of free disk, and a machine that does nothing else.
#   benches/film.sh          all of it
#   benches/film.sh table    preset × quality × time × size × audit margin instead
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release
run=$PWD/target/release/proofreel
folder=$(mktemp -d "${TMPDIR:-/tmp}/proofreel-bench-XXXXXX")
trap 'rm -rf "$folder"' EXIT

seconds() {
    local from to
    from=$(date +%s.%N)
    "$@" > /dev/null
    to=$(date +%s.%N)
    echo "$to - $from" | bc
}
median() { sort -n | sed -n 2p; }
ratio() { echo "scale=2; $1 / $2" | bc; }

# The high-water mark of a process's own memory in MB, without its children.
peak() {
    local mark=0 now
    "$@" > /dev/null &
    local pid=$!
    while kill -0 "$pid" 2> /dev/null; do
        now=$(awk '/VmHWM/ {print int($2 / 1024)}' "/proc/$pid/status" 2> /dev/null || true)
        [ -n "$now" ] && mark=$now
        sleep 0.1
    done
    wait "$pid"
    echo "$mark"
}

if [ "${1:-}" = table ]; then
    echo "| encoder | seconds | MB | smallest margin |"
    echo "|---|---|---|---|"
    for way in "builtin - 18" "ffmpeg ultrafast 18" "ffmpeg superfast 18" "ffmpeg veryfast 18" \
        "ffmpeg veryfast 23" "ffmpeg medium 18" "ffmpeg medium 23"; do
        read -r encoder preset crf <<< "$way"
        options=(--encoder "$encoder" --crf "$crf")
        [ "$preset" = - ] || options+=(--preset "$preset")
        time=$(seconds "$run" film demo -q --force -o "$folder/t.mp4" "${options[@]}")
        size=$(du -b "$folder/t.mp4" | awk '{printf "%.1f", $1 / 1e6}')
        margin=$("$run" audit "$folder/t.mp4" 2> /dev/null |
            sed -n 's/.*smallest margin \([0-9.]*\).*/\1/p' || true)
        echo "| $encoder ${preset/-/} crf $crf | $time | $size | $margin |"
    done
    exit
fi

"$run" film demo -q -o "$folder/master.mp4" --encoder ffmpeg --lossless
ffmpeg -v error -i "$folder/master.mp4" -f rawvideo -pix_fmt yuv420p "$folder/raw.yuv"

floor() {
    ffmpeg -v error -y -f rawvideo -pix_fmt yuv420p -s 2560x1440 -r 60 -i "$folder/raw.yuv" \
        -c:v libx264 -preset veryfast -crf 18 "$folder/floor.mp4"
}
with_ffmpeg() { "$run" film demo -q --force -o "$folder/a.mp4" --encoder ffmpeg; }
with_builtin() { "$run" film demo -q --force -o "$folder/b.mp4" --encoder builtin; }
decode() { ffmpeg -v error -i "$folder/a.mp4" -f rawvideo -pix_fmt yuv420p - | cat > /dev/null; }
audit() { "$run" audit -q "$folder/a.mp4" --decoder ffmpeg > /dev/null; }

for _ in 1 2 3; do
    for what in floor with_ffmpeg with_builtin decode audit; do
        seconds "$what" >> "$folder/$what"
    done
done
for what in floor with_ffmpeg with_builtin decode audit; do
    declare "$what=$(median < "$folder/$what")"
done
echo "encode floor $floor s, film with ffmpeg $with_ffmpeg s, ratio $(ratio "$with_ffmpeg" "$floor")"
echo "encode floor $floor s, film built in $with_builtin s, ratio $(ratio "$with_builtin" "$floor")"
echo "decode floor $decode s, audit $audit s, ratio $(ratio "$audit" "$decode")"

for encoder in ffmpeg builtin; do
    mark=$(peak "$run" film demo -q --force -o "$folder/p.mp4" --encoder "$encoder")
    echo "peak memory of our own process, film with $encoder: $mark MB"
done
echo "peak memory of our own process, audit: $(peak "$run" audit -q "$folder/a.mp4") MB"

# Seventeen givens less one: far more events than are recorded.
wide=000000010400000000020000000000050407008000300001090000300400200050100000000800000
frames=$("$run" film --puzzle "$wide" --first-only --timeout 0 --max-nodes 60000 --dry-run --json |
    sed 's/.*"frames":\([0-9]*\).*/\1/')
long=$(seconds "$run" film --puzzle "$wide" --first-only --timeout 0 --max-nodes 60000 -q \
    -o "$folder/long.mp4" --encoder ffmpeg)
echo "film of a long search: $frames frames in $long s," \
    "a frame against one of the demo: $(echo "scale=2; $long / $frames / ($with_ffmpeg / 960)" | bc)"

cargo bench --bench paint -- 'the_whole_demo$'
