# Trains and measures; ends a run that does not start.
export PYTHONUNBUFFERED=1
began=$(date +%s.%N)
nvidia-smi --query-gpu=name --format=csv,noheader; nproc
python3 image_train.py ../data $OUT/image.pt --seconds ${1:-545} --started $began --measure ../set14 ${@:2} > $OUT/train.log 2>&1 &
pid=$!
for ((k = 0; k < ${1:-545} + 15; k++)); do
    sleep 1
    kill -0 $pid 2>/dev/null || break
    [ $k = 60 ] && ! grep -q ready $OUT/train.log && { echo "not ready"; kill -9 $pid; break; }
    [ $k = 130 ] && ! [ -e $OUT/image.pt ] && { echo "no steps"; kill -9 $pid; break; }
    [ $k = 175 ] && ! grep -o "'Set14': ([0-9.]*, [0-9.]*" $OUT/train.log | tail -1 | awk '{exit !($3 > 31)}' && { echo "bad"; kill -9 $pid; break; }
done
cat $OUT/train.log
[ -e $OUT/image.pt ] && python3 image_measure.py $OUT/image.pt --pictures ../set14 --data ../data --plain ../image_32x10.pt ../weights_large.c 2>&1 | tee $OUT/measure.log
