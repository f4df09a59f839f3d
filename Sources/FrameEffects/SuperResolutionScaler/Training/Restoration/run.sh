#!/bin/sh
# Data, training, integers and source: run.sh SHARED WORK SECONDS. Needs Debian's python3-torch, python3-opencv, python3-pil,
# libopenblas0-pthread, ffmpeg with x264, x265 and VP9, a C compiler and a processor with AMX.
set -e
cd "$(dirname "$0")"
export PYTHONPATH=.:..:../StillImages OPENBLAS_NUM_THREADS=1 OPENBLAS_CORETYPE=SKYLAKEX
python3 restoration_data.py "$1" "$2"
python3 restoration_train.py "$2" "$2/restoration.pt" --seconds "$3"
python3 restoration_export.py "$2/restoration.pt" "$2" restoration_tables.npz --check "$1/clips/set14"
python3 restoration_source.py restoration_tables.npz ../../../../../Kernels/superres/weights_restoration.c --expected "$2/expected_restoration.json"
