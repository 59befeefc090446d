package cluster

import (
	"context"
	"strings"
	"testing"
)

// TestStart: a program that knows no MPI refuses to be one of several processes. One that
// does is tested where mpirun starts it.
func TestStart(t *testing.T) {
	for _, name := range sizes {
		t.Setenv(name, "")
	}
	g, end, err := Start()
	if err != nil || g.Size() != 1 {
		t.Fatalf("alone: %v, %v", g, err)
	}
	end()
	if Of(With(context.Background(), g)) != g || Of(context.Background()).Size() != 1 {
		t.Error("a context does not carry its group")
	}
	if MPI {
		t.Skip("built with MPI: mpirun says what it does with several processes")
	}
	t.Setenv("OMPI_COMM_WORLD_SIZE", "2")
	if _, _, err := Start(); err == nil || !strings.Contains(err.Error(), "OMPI_COMM_WORLD_SIZE=2") || !strings.Contains(err.Error(), "make mpi") {
		t.Errorf("one of two processes: %v", err)
	}
}
