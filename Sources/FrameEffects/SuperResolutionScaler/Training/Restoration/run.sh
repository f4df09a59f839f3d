#!/bin/sh
# Data, training, integers and sources of the three networks: run.sh SHARED WORK SECONDS. Needs Debian's python3-torch,
# python3-opencv, python3-pil, libopenblas0-pthread, ffmpeg with x264, x265 and VP9, a C compiler and a processor with AMX.
set -e
cd "$(dirname "$0")"
export PYTHONPATH=.:..:../StillImages OPENBLAS_NUM_THREADS=1 OPENBLAS_CORETYPE=SKYLAKEX
shared=$1 work=$2 kernels=../../../../../Kernels/superres
python3 restoration_data.py "$shared" "$work"
# integers NAME TABLES: of a checkpoint in WORK.
integers() {
    python3 restoration_export.py "$work/$1.pt" "$work" "$2" --check "$shared/clips/set14"
    python3 restoration_source.py "$2" "$kernels/weights_$1.c" --expected "$work/expected_$1.json"
}
python3 restoration_train.py "$work" "$work/restoration.pt" --seconds "$3"
integers restoration restoration_tables.npz
python3 restoration_train.py "$work" "$work/restoration_light.pt" --seconds 1200 --channels 16 --middles 6 --video 0.75 \
    --peak 3e-3 --seed 22
integers restoration_light restoration_light_tables.npz
python3 restoration_train.py "$work" "$work/restoration_small.pt" --seconds 660 --channels 8 --middles 2 --video 0.75 \
    --peak 3e-3 --seed 23
integers restoration_small restoration_small_tables.npz
