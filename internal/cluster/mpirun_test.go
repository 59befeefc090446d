//go:build mpi

package cluster

import "testing"

// TestRanks tests MPI's group under mpirun.
func TestRanks(t *testing.T) {
	if n, _ := started(); n == 1 {
		t.Skip("not started by mpirun -np 2: go test -run TestMPI ./tools/deepemd/internal/tests does")
	}
	g, end, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	if err := check(g); err != nil {
		t.Errorf("rank %d: %v", g.Rank(), err)
	}
	t.Logf("rank %d of %d", g.Rank(), g.Size())
}

func TestCount(t *testing.T) {
	for list, want := range map[string]int{"0\n": 1, "0-1\n": 2, "0-3,8": 5, "": 0, "some": 0, "3-1": 0} {
		if got := count(list); got != want {
			t.Errorf("%q are %d processors, want %d", list, got, want)
		}
	}
}
