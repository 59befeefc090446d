package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// check calls every method of a rank, and returns the first thing that is wrong.
func check(g Group) error {
	n, rank := g.Size(), g.Rank()
	all := 0
	for i := range n {
		all += i + 1
	}
	f32 := make([]float32, 100_000)
	for i := range f32 {
		f32[i] = float32((rank + 1) * (i % 7))
	}
	if err := g.SumFloat32(f32); err != nil {
		return err
	}
	for i, v := range f32 {
		if v != float32(all*(i%7)) {
			return fmt.Errorf("sum %d is %g, want %d", i, v, all*(i%7))
		}
	}
	f64 := []float64{float64(rank + 1), 0.5}
	if err := g.SumFloat64(f64); err != nil || f64[0] != float64(all) || f64[1] != 0.5*float64(n) {
		return fmt.Errorf("sums %v: %v", f64, err)
	}

	src, dst := make([]byte, 3*n), make([]byte, 3*n)
	for i := range src {
		src[i] = byte(16*rank + i/3)
	}
	if err := g.Exchange(dst, src); err != nil {
		return err
	}
	for i, v := range dst {
		if v != byte(16*(i/3)+rank) {
			return fmt.Errorf("exchange gives %v", dst)
		}
	}
	if err := g.Join(dst, []byte{byte(rank), 1, 2}); err != nil || dst[3*(n-1)] != byte(n-1) {
		return fmt.Errorf("joined to %v: %v", dst, err)
	}

	mine := strings.Repeat(fmt.Sprint(rank), rank*1000)
	parts, err := gatherAll(g, []byte(mine))
	if err != nil {
		return err
	}
	for i, p := range parts {
		if string(p) != strings.Repeat(fmt.Sprint(i), i*1000) {
			return fmt.Errorf("part %d is %.20q…", i, p)
		}
	}
	told, err := FromLeader(g, map[string]int{"number": rank + 1}, nil)
	if err != nil || told["number"] != 1 {
		return fmt.Errorf("told %v: %v", told, err)
	}
	if _, err := FromLeader(g, 0, fmt.Errorf("rank %d: %w", rank, fs.ErrNotExist)); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "rank 0: ") {
		return fmt.Errorf("the error of rank 0 is %w", err)
	}
	names, err := AllGather(g, fmt.Sprint("rank ", rank))
	if err != nil || len(names) != n || names[n-1] != fmt.Sprint("rank ", n-1) {
		return fmt.Errorf("all say %q: %v", names, err)
	}
	if err := Same(g, "hats", "red", "round"); err != nil {
		return err
	}
	if err := Same(g, "hats", "red", fmt.Sprint("size ", rank)); n > 1 && (err == nil || !strings.Contains(err.Error(), `different hats: rank 0 "size 0", rank 1 "size 1": start all ranks with the same command`)) {
		return fmt.Errorf("other lines: %w", err)
	}
	if err := Same(g, "hats", make([]string, rank)...); n > 1 && (err == nil || !strings.Contains(err.Error(), `rank 0 nothing, rank 1 ""`)) {
		return fmt.Errorf("more lines: %w", err)
	}
	if err := Gather(With(context.Background(), g), make([]int, 8+rank), nil); n > 1 && (err == nil || !strings.Contains(err.Error(), `rank 0 "8", rank 1 "9"`)) {
		return fmt.Errorf("other numbers of results: %w", err)
	}
	if n > 1 {
		if rank == 0 {
			_, err = AllGather(g, []string{"a"})
		} else {
			_, err = AllGather(g, 1)
		}
		if err == nil || !strings.Contains(err.Error(), "start all ranks with the same command") {
			return fmt.Errorf("other types: %w", err)
		}
	}
	values := make([]int, 10)
	from, to := Share(g, len(values))
	for i := from; i < to; i++ {
		values[i] = i
	}
	if err := Gather(With(context.Background(), g), values, nil); err != nil || !slices.Equal(values, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
		return fmt.Errorf("gathered %v: %v", values, err)
	}
	return together(g)
}

// together has two goroutines of a rank work with two groups at once.
func together(g Group) error {
	other, err := g.Duplicate()
	if err != nil {
		return err
	}
	done := make(chan error)
	go func() {
		var err error
		for range 20 {
			err = errors.Join(err, other.SumFloat32(make([]float32, 10_000)))
		}
		done <- err
	}()
	for range 20 {
		err = errors.Join(err, g.SumFloat64([]float64{1}))
	}
	return errors.Join(err, <-done)
}

// on runs work as every rank of a group inside this process.
func on(groups []Group, work func(Group) error) error {
	errs := make(chan error)
	for _, g := range groups {
		go func() {
			err := work(g)
			if err != nil {
				g.Abort() // the others would wait
			}
			errs <- err
		}()
	}
	var all error
	for range groups {
		all = errors.Join(all, <-errs)
	}
	return all
}

func TestGroups(t *testing.T) {
	for _, size := range []int{1, 2, 3, 5} {
		if err := on(InProcess(size), check); err != nil {
			t.Errorf("%d ranks: %v", size, err)
		}
	}
	if err := check(Single{}); err != nil {
		t.Errorf("alone: %v", err)
	}
}

// TestAbort: ranks do not wait for one that has aborted.
func TestAbort(t *testing.T) {
	err := on(InProcess(3), func(g Group) error {
		if g.Rank() == 1 {
			g.Abort()
			return nil
		}
		if err := g.SumFloat64([]float64{1}); !errors.Is(err, ErrAborted) {
			return fmt.Errorf("the wait ends with %v", err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestStart: a program without MPI rejects to be one of several processes. mpirun tests a program
// with MPI.
func TestStart(t *testing.T) {
	environment(t, nil)
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

// environment sets the variables of MPI.
func environment(t *testing.T, values map[string]string) {
	for _, name := range []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "PMIX_RANK"} {
		t.Setenv(name, values[name])
	}
}

func TestNeighbors(t *testing.T) {
	for value, want := range map[string]int{"": 1, "0": 1, "some": 1, "3": 3} {
		t.Setenv("OMPI_COMM_WORLD_LOCAL_SIZE", value)
		if n := Neighbors(); n != want {
			t.Errorf("%q: %d ranks, want %d", value, n, want)
		}
	}
}

func TestStarted(t *testing.T) {
	for _, c := range []struct {
		values map[string]string
		size   int
	}{
		{nil, 1},
		{map[string]string{"OMPI_COMM_WORLD_SIZE": "2", "SLURM_STEP_NUM_TASKS": "1", "PMIX_RANK": "0"}, 2},
		{map[string]string{"PMI_SIZE": "3"}, 3},
		{map[string]string{"SLURM_STEP_NUM_TASKS": "4"}, 1}, // four runs of a sweep
		{map[string]string{"SLURM_STEP_NUM_TASKS": "4", "PMIX_RANK": "3"}, 4},
		{map[string]string{"PMI_SIZE": "some"}, 1},
	} {
		t.Run(fmt.Sprint(c.values), func(t *testing.T) {
			environment(t, c.values)
			if n, variable := started(); n != c.size || variable != "" && c.values[variable] != strconv.Itoa(n) {
				t.Errorf("%d by %q, want %d", n, variable, c.size)
			}
		})
	}
}

func TestMemoryIsShared(t *testing.T) {
	whole := Memory()
	t.Setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "4")
	if got := Memory(); got != whole/4 {
		t.Errorf("one of four ranks may use %d of %d bytes", got, whole)
	}
}
