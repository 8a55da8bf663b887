#!/usr/bin/env bash
# Ratios of whole processes, each pair measured in turn in one run, the median of three:
# film ÷ ffmpeg encoding the same raw frames from a file, with each encoder, and
# audit ÷ ffmpeg decoding the film to raw frames through a pipe.
# Needs ffmpeg, some 6 GB of free disk, and a machine that does nothing else.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release
run=$PWD/target/release/proofreel
folder=$(mktemp -d "${TMPDIR:-/tmp}/proofreel-bench-XXXXXX")
trap 'rm -rf "$folder"' EXIT

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

seconds() {
    local from to
    from=$(date +%s.%N)
    "$@" > /dev/null
    to=$(date +%s.%N)
    echo "$to - $from" | bc
}
median() { sort -n | sed -n 2p; }

for what in floor with_ffmpeg with_builtin decode audit; do : > "$folder/$what"; done
for _ in 1 2 3; do
    for what in floor with_ffmpeg with_builtin decode audit; do
        seconds "$what" >> "$folder/$what"
    done
done
for what in floor with_ffmpeg with_builtin decode audit; do
    declare "$what=$(median < "$folder/$what")"
done
ratio() { echo "scale=2; $1 / $2" | bc; }
echo "encode floor $floor s, film with ffmpeg $with_ffmpeg s, ratio $(ratio "$with_ffmpeg" "$floor")"
echo "encode floor $floor s, film built in $with_builtin s, ratio $(ratio "$with_builtin" "$floor")"
echo "decode floor $decode s, audit $audit s, ratio $(ratio "$audit" "$decode")"
