#!/bin/bash
# Pre-training on four machines under Slurm, one process on each:
#
#   sbatch docs/cluster/slurm.sh
#
# DATA and OUT are folders that all machines see, such as on NFS; OUT only for the first one.
# The job saves two minutes before its time is up, and goes on where it was when it is submitted
# again.
#SBATCH --job-name=deepemd
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=04:00:00
#SBATCH --signal=B:USR1@120
#SBATCH --output=%x-%j.log

set -u
DEEPEMD=${DEEPEMD:-deepemd-mpi} # the command built by `make mpi`, in the PATH or with its path
DATA=${DATA:-$HOME/data}
OUT=${OUT:-$HOME/runs/$SLURM_JOB_NAME}

settings=(--recipe resnet12 --data "$DATA/cifar100.zip" --split "$DATA/cifar-fs.json")
if [ -e "$OUT/checkpoint.bin" ]; then
	settings=(--resume)
fi

# mpirun knows the machines from Slurm. Each process takes all cores of its own: no binding.
mpirun --map-by ppr:1:node --bind-to none "$DEEPEMD" train pretrain "${settings[@]}" --out "$OUT" &
pid=$!
trap 'kill -USR1 $pid' USR1 # mpirun hands it on, and the processes save
wait $pid
code=$?
while kill -0 $pid 2>/dev/null; do # the trap has ended the first wait
	wait $pid
	code=$?
done
exit $code
