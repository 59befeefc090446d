//go:build mpi

package cluster

/*
#cgo !mpicc pkg-config: ompi
#include <mpi.h>

// MPI constants can be macros that cgo cannot translate, so C functions wrap them.
static MPI_Comm world(void) { return MPI_COMM_WORLD; }
static int sum_float(void *v, int n, MPI_Comm c, MPI_Request *r) { return MPI_Iallreduce(MPI_IN_PLACE, v, n, MPI_FLOAT, MPI_SUM, c, r); }
static int sum_double(void *v, int n, MPI_Comm c, MPI_Request *r) { return MPI_Iallreduce(MPI_IN_PLACE, v, n, MPI_DOUBLE, MPI_SUM, c, r); }
static int exchange(void *src, int n, void *dst, MPI_Comm c, MPI_Request *r) { return MPI_Ialltoall(src, n, MPI_BYTE, dst, n, MPI_BYTE, c, r); }
static int join(void *src, int n, void *dst, MPI_Comm c, MPI_Request *r) { return MPI_Iallgather(src, n, MPI_BYTE, dst, n, MPI_BYTE, c, r); }
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
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
	"unsafe"
)

// The binding uses version 3 of MPI, the Message Passing Interface. It needs a C compiler and Open
// MPI, found by pkg-config, or, with the further build tag mpicc and CC=mpicc, any MPI.
//
// No call blocks inside MPI. A wait polls the operation, at increasing intervals, which leaves the
// processor to the goroutines that compute. Two goroutines can also wait at the same time, although
// the library admits one at a time (MPI_THREAD_SERIALIZED).

// MPI reports whether the program can join the ranks of MPI.
const MPI = true

// Start returns the group of this process and a function that leaves it: the ranks of MPI if
// several processes were started, and [Single] otherwise. It returns an error if MPI does not start.
func Start() (g Group, end func(), err error) {
	if n, _ := started(); n == 1 {
		return Single{}, func() {}, nil
	}
	shareCores()
	world, err := initialize()
	if err != nil {
		return nil, nil, err
	}
	return world, finalize, nil
}

// shareCores divides the cores of a machine among its ranks, unless mpirun has assigned cores or
// GOMAXPROCS is set.
func shareCores() {
	online, err := os.ReadFile("/sys/devices/system/cpu/online")
	if os.Getenv("GOMAXPROCS") != "" || err != nil || runtime.NumCPU() < count(string(online)) {
		return
	}
	if n := Neighbors(); n > 1 {
		runtime.GOMAXPROCS(max(1, runtime.GOMAXPROCS(0)/n))
	}
}

// count returns the number of processors in a Linux list such as 0-3,8, or 0 for invalid lists.
func count(list string) (n int) {
	for _, span := range strings.Split(strings.TrimSpace(list), ",") {
		first, last, isSpan := strings.Cut(span, "-")
		if !isSpan {
			last = first
		}
		from, err := strconv.Atoi(first)
		to, alsoErr := strconv.Atoi(last)
		if err != nil || alsoErr != nil || to < from {
			return 0
		}
		n += to - from + 1
	}
	return n
}

// calls serializes calls of MPI.
var calls sync.Mutex

// over ends the goroutine that has started MPI, which must also finalize it.
var over struct {
	ask, done chan struct{}
}

// most limits the bytes of one operation: MPI counts are 32-bit.
const most = 1 << 30

// communicator implements [Group] with MPI.
type communicator struct {
	comm       C.MPI_Comm
	rank, size int
}

func initialize() (*communicator, error) {
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
			failed <- fmt.Errorf("MPI supports threads at level %d, want %d (MPI_THREAD_SERIALIZED): install an MPI that was built with it", level, C.serialized())
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
	return newCommunicator(C.world())
}

// finalize ends this process's part, and waits for the other ranks.
func finalize() {
	close(over.ask)
	<-over.done
}

func newCommunicator(comm C.MPI_Comm) (*communicator, error) {
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
	return &communicator{comm, int(rank), int(size)}, nil
}

func problem(what string, code C.int) error {
	var text [256]byte
	n := C.text(code, (*C.char)(unsafe.Pointer(&text[0])), C.int(len(text)))
	return fmt.Errorf("%s: %s", what, text[:n])
}

// Rank implements [Group].
func (c *communicator) Rank() int { return c.rank }

// Size implements [Group].
func (c *communicator) Size() int { return c.size }

// Duplicate implements [Group].
func (c *communicator) Duplicate() (Group, error) {
	// MPI_Comm_dup blocks: a rank must not enter it while another waits for a different operation.
	if err := run("MPI_Ibarrier", func(r *C.MPI_Request) C.int { return C.barrier(c.comm, r) }); err != nil {
		return nil, err
	}
	calls.Lock()
	var comm C.MPI_Comm
	code := C.MPI_Comm_dup(c.comm, &comm)
	calls.Unlock()
	if code != 0 {
		return nil, problem("MPI_Comm_dup", code)
	}
	return newCommunicator(comm)
}

// Abort implements [Group].
func (c *communicator) Abort() { C.MPI_Abort(c.comm, 1) }

// address returns the address of pinned memory, or nil without values.
func address[T any](pin *runtime.Pinner, values []T) unsafe.Pointer {
	if len(values) == 0 {
		return nil
	}
	pin.Pin(&values[0])
	return unsafe.Pointer(&values[0])
}

// Waits poll continuously at first, then with pauses.
const (
	eager     = 200 * time.Microsecond
	shortest  = 20 * time.Microsecond
	longest   = 2 * time.Millisecond
	lengthens = 1.2
)

// run starts an operation and waits for its end.
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

// pieces calls do for pieces of n values that fit into one operation.
func pieces(n, size int, do func(from, to int) error) error {
	step := most / size
	for from := 0; from < n; from += step {
		if err := do(from, min(from+step, n)); err != nil {
			return err
		}
	}
	return nil
}

// SumFloat32 implements [Group].
func (c *communicator) SumFloat32(values []float32) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	return pieces(len(values), 4, func(from, to int) error {
		return run("MPI_Iallreduce", func(r *C.MPI_Request) C.int {
			return C.sum_float(address(&pin, values[from:to]), C.int(to-from), c.comm, r)
		})
	})
}

// SumFloat64 implements [Group].
func (c *communicator) SumFloat64(values []float64) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	return pieces(len(values), 8, func(from, to int) error {
		return run("MPI_Iallreduce", func(r *C.MPI_Request) C.int {
			return C.sum_double(address(&pin, values[from:to]), C.int(to-from), c.comm, r)
		})
	})
}

// Exchange implements [Group].
func (c *communicator) Exchange(dst, src []byte) error {
	if len(src) > most {
		return fmt.Errorf("an exchange of %d bytes, want at most %d", len(src), most)
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	return run("MPI_Ialltoall", func(r *C.MPI_Request) C.int {
		return C.exchange(address(&pin, src), C.int(len(src)/c.size), address(&pin, dst), c.comm, r)
	})
}

// Join implements [Group].
func (c *communicator) Join(dst, part []byte) error {
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

// Broadcast implements [Group].
func (c *communicator) Broadcast(values []byte) error {
	var pin runtime.Pinner
	defer pin.Unpin()
	return pieces(len(values), 1, func(from, to int) error {
		return run("MPI_Ibcast", func(r *C.MPI_Request) C.int {
			return C.broadcast(address(&pin, values[from:to]), C.int(to-from), c.comm, r)
		})
	})
}
