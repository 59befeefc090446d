//go:build mpi

package training_test

import (
	"context"
	"os"
	"testing"

	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/training"
)

// TestProcessesFollowOne is for mpirun: its processes take the steps of one.
func TestProcessesFollowOne(t *testing.T) {
	if os.Getenv("OMPI_COMM_WORLD_SIZE") == "" {
		t.Skip("not started by mpirun: go test -run TestMPI ./tools/deepemd/internal/tests does")
	}
	g, end, err := cluster.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	dir := speckles(t)
	nothing := func(*training.Pretrain) {}
	ctx := cluster.With(context.Background(), g)
	ready, err := pretraining(dir, nothing)(g.Rank()).Prepare(ctx, training.Reporter{})
	if err != nil {
		t.Fatal(err)
	}
	defer ready.Close()
	var losses []float64
	ready.Dir, ready.Watch.Step = t.TempDir(), func(r training.Record, _, _ int) { losses = append(losses, r.Loss) }
	if err := ready.Run(ctx, false); err != nil {
		t.Fatal(err)
	}
	one, _, _ := shared{t.TempDir(), 1, pretraining(dir, nothing), false, 0}.whole(t)
	if err := follow(one, losses, 1e-5); err != nil {
		t.Errorf("rank %d of %d: %v", g.Rank(), g.Size(), err)
	}
}
