//go:build mpi

package mpi

/*
#cgo !mpicc pkg-config: ompi
#include <mpi.h>

// Constants of MPI may be macros of any kind: only C knows what they are.
static MPI_Comm world(void) { return MPI_COMM_WORLD; }
static int sum_float(void *v, int n, MPI_Comm c, MPI_Request *r) { return MPI_Iallreduce(MPI_IN_PLACE, v, n, MPI_FLOAT, MPI_SUM, c, r); }
static int sum_double(void *v, int n, MPI_Comm c, MPI_Request *r) { return MPI_Iallreduce(MPI_IN_PLACE, v, n, MPI_DOUBLE, MPI_SUM, c, r); }
static int exchange(void *src, int n, void *dst, MPI_Comm c, MPI_Request *r) { return MPI_Ialltoall(src, n, MPI_BYTE, dst, n, MPI_BYTE, c, r); }
static int join(void *src, int n, void *dst, MPI_Comm c, MPI_Request *r) { return MPI_Iallgather(src, n, MPI_BYTE, dst, n, MPI_BYTE, c, r); }
static int gather(void *src, int n, void *dst, int *counts, int *at, MPI_Comm c, MPI_Request *r) { return MPI_Igatherv(src, n, MPI_BYTE, dst, counts, at, MPI_BYTE, 0, c, r); }
static int broadcast(void *v, int n, MPI_Comm c, MPI_Request *r) { return MPI_Ibcast(v, n, MPI_BYTE, 0, c, r); }
static int barrier(MPI_Comm c, MPI_Request *r) { return MPI_Ibarrier(c, r); }
static int test(MPI_Request *r, int *done) { return MPI_Test(r, done, MPI_STATUS_IGNORE); }
static int start(int *level) { return MPI_Init_thread(0, 0, MPI_THREAD_SERIALIZED, level); }
static int serialized(void) { return MPI_THREAD_SERIALIZED; }
static int return_errors(MPI_Comm c) { return MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN); }
static int text(int code, char *to, int room) { int n = 0; char s[MPI_MAX_ERROR_STRING]; if (MPI_Error_string(code, s, &n)) n = 0; if (n > room) n = room; for (int i = 0; i < n; i++) to[i] = s[i]; return n; }
*/
import "C"

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"sync"
	"time"
	"unsafe"
)

// calls lets one goroutine at a time into MPI.
var calls sync.Mutex

// over ends the goroutine that has started MPI, which has to end it, too.
var over struct {
	ask, done chan struct{}
}

// most bounds the bytes of one operation: MPI counts in 32 bits.
const most = 1 << 30

// Comm is a communicator: the ranks of a group.
type Comm struct {
	comm       C.MPI_Comm
	rank, size int
}

// Init starts MPI and returns all ranks.
//
// # Errors
//
// MPI's own; a library that was built without support for threads.
func Init() (*Comm, error) {
	over.ask, over.done = make(chan struct{}), make(chan struct{})
	failed := make(chan error)
	go func() {
		runtime.LockOSThread()
		var level C.int
		if code := C.start(&level); code != 0 {
			failed <- problem("MPI_Init_thread", code)
			return
		}
		if level < C.serialized() {
			failed <- fmt.Errorf("MPI gives support for threads of level %d, want %d (MPI_THREAD_SERIALIZED): install an MPI that was built with it", level, C.serialized())
			return
		}
		close(failed)
		<-over.ask
		calls.Lock()
		C.MPI_Finalize()
		calls.Unlock()
		close(over.done)
	}()
	if err := <-failed; err != nil {
		return nil, err
	}
	return newComm(C.world())
}

// Finalize ends this process's part. It waits for the other ranks' end.
func Finalize() {
	close(over.ask)
	<-over.done
}

func newComm(comm C.MPI_Comm) (*Comm, error) {
	calls.Lock()
	defer calls.Unlock()
	var rank, size C.int
	if code := C.return_errors(comm); code != 0 {
		return nil, problem("MPI_Comm_set_errhandler", code)
	}
	if code := C.MPI_Comm_rank(comm, &rank); code != 0 {
		return nil, problem("MPI_Comm_rank", code)
	}
	if code := C.MPI_Comm_size(comm, &size); code != 0 {
		return nil, problem("MPI_Comm_size", code)
	}
	return &Comm{comm, int(rank), int(size)}, nil
}

// problem words a code that MPI returned.
func problem(what string, code C.int) error {
	var text [256]byte
	n := C.text(code, (*C.char)(unsafe.Pointer(&text[0])), C.int(len(text)))
	return fmt.Errorf("%s: %s", what, text[:n])
}

// Rank is the number of this process.
func (c *Comm) Rank() int { return c.rank }

// Size is the number of processes.
func (c *Comm) Size() int { return c.size }

// Duplicate returns a communicator of the same ranks, apart from this one.
func (c *Comm) Duplicate() (*Comm, error) {
	// MPI_Comm_dup blocks: no rank may be let in by a goroutine that another one waits for.
	if err := c.Barrier(); err != nil {
		return nil, err
	}
	calls.Lock()
	var comm C.MPI_Comm
	code := C.MPI_Comm_dup(c.comm, &comm)
	calls.Unlock()
	if code != 0 {
		return nil, problem("MPI_Comm_dup", code)
	}
	return newComm(comm)
}

// Abort ends the processes of all ranks, with exit code 1.
func (c *Comm) Abort() { C.MPI_Abort(c.comm, 1) }

// address is that of memory that stays where it is until the pinner lets it go; nil for none.
func address[T any](pin *runtime.Pinner, values []T) unsafe.Pointer {
	if len(values) == 0 {
		return nil
	}
	pin.Pin(&values[0])
	return unsafe.Pointer(&values[0])
}

// Waits ask at once while an operation may end any moment, then with pauses.
const (
	eager     = 200 * time.Microsecond
	shortest  = 20 * time.Microsecond
	longest   = 2 * time.Millisecond
	lengthens = 1.2
)

// run begins an operation and waits for its end.
func run(what string, begin func(r *C.MPI_Request) C.int) error {
	var request C.MPI_Request
	calls.Lock()
	code := begin(&request)
	calls.Unlock()
	began, pause := time.Now(), shortest
	for code == 0 {
		var done C.int
		calls.Lock()
		code = C.test(&request, &done)
		calls.Unlock()
		if code == 0 && done != 0 {
			return nil
		}
		if time.Since(began) < eager {
			runtime.Gosched()
			continue
		}
		time.Sleep(pause)
		pause = min(longest, time.Duration(float64(pause)*lengthens))
	}
	return problem(what, code)
}

// pieces calls do for pieces of n values that one operation can take.
func pieces(n, size int, do func(from, to int) error) error {
	step := most / size
	for from := 0; from < n; from += step {
		if err := do(from, min(from+step, n)); err != nil {
			return err
		}
	}
	return nil
}

// SumFloat32 replaces values by the sums over all ranks.
func (c *Comm) SumFloat32(values []float32) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	return pieces(len(values), 4, func(from, to int) error {
		return run("MPI_Iallreduce", func(r *C.MPI_Request) C.int {
			return C.sum_float(address(&pin, values[from:to]), C.int(to-from), c.comm, r)
		})
	})
}

// SumFloat64 replaces values by the sums over all ranks.
func (c *Comm) SumFloat64(values []float64) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	return pieces(len(values), 8, func(from, to int) error {
		return run("MPI_Iallreduce", func(r *C.MPI_Request) C.int {
			return C.sum_double(address(&pin, values[from:to]), C.int(to-from), c.comm, r)
		})
	})
}

// Exchange sends the parts of src to the ranks, and receives theirs.
func (c *Comm) Exchange(dst, src []byte) error {
	if len(src) > most {
		return fmt.Errorf("an exchange of %d bytes, want %d at most", len(src), most)
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	return run("MPI_Ialltoall", func(r *C.MPI_Request) C.int {
		return C.exchange(address(&pin, src), C.int(len(src)/c.size), address(&pin, dst), c.comm, r)
	})
}

// Join sets dst to the parts of all ranks.
func (c *Comm) Join(dst, part []byte) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	if len(dst) <= most {
		return run("MPI_Iallgather", func(r *C.MPI_Request) C.int {
			return C.join(address(&pin, part), C.int(len(part)), address(&pin, dst), c.comm, r)
		})
	}
	piece := make([]byte, most/c.size*c.size)
	return pieces(len(part), c.size, func(from, to int) error {
		n := to - from
		if err := c.Join(piece[:n*c.size], part[from:to]); err != nil {
			return err
		}
		for rank := range c.size {
			copy(dst[rank*len(part)+from:], piece[rank*n:][:n])
		}
		return nil
	})
}

// Gather returns the parts of all ranks on rank 0.
func (c *Comm) Gather(part []byte) ([][]byte, error) {
	lengths := make([]byte, 8*c.size)
	if err := c.Join(lengths, binary.LittleEndian.AppendUint64(nil, uint64(len(part)))); err != nil {
		return nil, err
	}
	var all [][]byte
	longest := 0
	for rank := range c.size {
		n := int(binary.LittleEndian.Uint64(lengths[8*rank:]))
		longest = max(longest, n)
		if c.rank == 0 {
			all = append(all, make([]byte, 0, n))
		}
	}
	var piece []byte
	counts, at := make([]C.int, c.size), make([]C.int, c.size)
	err := pieces(longest, c.size, func(from, to int) error {
		var pin runtime.Pinner
		defer pin.Unpin()
		total := 0
		for rank := range c.size {
			n := int(binary.LittleEndian.Uint64(lengths[8*rank:]))
			count := min(to, n) - min(from, n)
			counts[rank], at[rank] = C.int(count), C.int(total)
			total += count
		}
		if c.rank == 0 && len(piece) < total {
			piece = make([]byte, total)
		}
		mine := part[min(from, len(part)):min(to, len(part))]
		err := run("MPI_Igatherv", func(r *C.MPI_Request) C.int {
			counts, at := (*C.int)(address(&pin, counts)), (*C.int)(address(&pin, at))
			return C.gather(address(&pin, mine), C.int(len(mine)), address(&pin, piece), counts, at, c.comm, r)
		})
		for rank := range all {
			all[rank] = append(all[rank], piece[at[rank]:][:counts[rank]]...)
		}
		return err
	})
	return all, err
}

// Broadcast replaces values by those of rank 0.
func (c *Comm) Broadcast(values []byte) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	return pieces(len(values), 1, func(from, to int) error {
		return run("MPI_Ibcast", func(r *C.MPI_Request) C.int {
			return C.broadcast(address(&pin, values[from:to]), C.int(to-from), c.comm, r)
		})
	})
}

// Barrier returns when every rank has called it.
func (c *Comm) Barrier() error {
	return run("MPI_Ibarrier", func(r *C.MPI_Request) C.int { return C.barrier(c.comm, r) })
}
