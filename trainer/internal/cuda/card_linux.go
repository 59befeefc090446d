//go:build (amd64 || arm64) && !nocuda

package cuda

import (
	"cmp"
	_ "embed" // the kernels
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

//go:embed kernels.cu
var source string

// card is an NVIDIA card with the compiled kernels. Its operations run in the order of the calls,
// after the calls have returned. The first error stops all later ones.
type card struct {
	libraries
	name                           string
	total                          int // bytes of memory
	processors                     int
	context, stream, cudnn, module uintptr
	kernels                        map[string]uintptr
	err                            error

	held  map[uintptr]bool // memory of the driver
	mutex sync.Mutex       // guards free, which the garbage collector fills
	free  map[int][]uintptr

	slots    [24]uint64 // arguments of a kernel
	pointers [24]uintptr
}

// attributes of a card, as the driver numbers them.
const (
	attributeProcessors = 16
	attributeMajor      = 75
	attributeMinor      = 76
)

// openCard opens a card by its number and compiles the kernels with the given options.
func openCard(number int, options ...string) (*card, error) {
	lib, err := open()
	if err != nil {
		return nil, err
	}
	c := &card{libraries: lib, kernels: map[string]uintptr{}, held: map[uintptr]bool{}, free: map[int][]uintptr{}}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var count, device, major, minor, processors int32
	if err := lib.check("cuInit", 0); err != nil {
		return nil, err
	}
	if err := lib.check("cuDeviceGetCount", uintptr(unsafe.Pointer(&count))); err != nil {
		return nil, err
	}
	if number >= int(count) {
		return nil, fmt.Errorf("card %d of %d: the first one is 0", number, count)
	}
	var free, total uintptr
	var name [128]byte
	for _, err := range []error{
		lib.check("cuDeviceGet", uintptr(unsafe.Pointer(&device)), uintptr(number)),
		lib.check("cuDeviceGetName", uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), uintptr(device)),
		lib.check("cuDeviceGetAttribute", uintptr(unsafe.Pointer(&processors)), attributeProcessors, uintptr(device)),
		lib.check("cuDeviceGetAttribute", uintptr(unsafe.Pointer(&major)), attributeMajor, uintptr(device)),
		lib.check("cuDeviceGetAttribute", uintptr(unsafe.Pointer(&minor)), attributeMinor, uintptr(device)),
		lib.check("cuDevicePrimaryCtxRetain", uintptr(unsafe.Pointer(&c.context)), uintptr(device)),
		lib.check("cuCtxSetCurrent", c.context),
		lib.check("cuMemGetInfo_v2", uintptr(unsafe.Pointer(&free)), uintptr(unsafe.Pointer(&total))),
		lib.check("cuStreamCreate", uintptr(unsafe.Pointer(&c.stream)), 1), // does not wait for other streams
		lib.check("cudnnCreate", uintptr(unsafe.Pointer(&c.cudnn))),
		lib.check("cudnnSetStream", c.cudnn, c.stream),
	} {
		if err != nil {
			return nil, err
		}
	}
	c.name, _, _ = strings.Cut(string(name[:]), "\x00")
	c.total, c.processors = int(total), int(processors)
	if major < 8 && len(options) > 0 {
		return nil, fmt.Errorf("%s computes in float32 only: bfloat16 needs an Ampere card or later; set precision = \"float32\"", c.name)
	}
	code, err := lib.compile(source, int(10*major+minor), options...)
	if err != nil {
		return nil, fmt.Errorf("compiling the kernels for %s: %w", c.name, err)
	}
	return c, lib.check("cuModuleLoadData", uintptr(unsafe.Pointer(&c.module)), uintptr(unsafe.Pointer(&code[0])))
}

// do runs work with the card as the thread's current one.
func (c *card) do(work func() error) {
	if c.err != nil {
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if c.err = c.check("cuCtxSetCurrent", c.context); c.err == nil {
		c.err = work()
	}
}

// memory is memory of the card. It is free for others once it is unreachable.
type memory struct {
	at    uintptr
	bytes int
}

// allocate returns memory of the card with undefined contents.
func (c *card) allocate(bytes int) (*memory, error) {
	bytes = (bytes + 511) &^ 511
	m := &memory{bytes: bytes}
	if m.at = c.reuse(bytes); m.at == 0 {
		err := c.check("cuMemAlloc_v2", uintptr(unsafe.Pointer(&m.at)), uintptr(bytes))
		if isOutOfMemory(err) {
			c.collect()
			if m.at = c.reuse(bytes); m.at == 0 {
				err = c.check("cuMemAlloc_v2", uintptr(unsafe.Pointer(&m.at)), uintptr(bytes))
			} else {
				err = nil
			}
		}
		if isOutOfMemory(err) {
			return nil, fmt.Errorf("%w: %s has %s of memory", device.ErrMemory, c.name, plural.Bytes(float64(c.total)))
		}
		if err != nil {
			return nil, err
		}
		c.held[m.at] = true
	}
	runtime.AddCleanup(m, func(at uintptr) {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		c.free[bytes] = append(c.free[bytes], at)
	}, m.at)
	return m, nil
}

// reuse returns free memory of the given size, or 0.
func (c *card) reuse(bytes int) uintptr {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	list := c.free[bytes]
	if len(list) == 0 {
		return 0
	}
	c.free[bytes] = list[:len(list)-1]
	return list[len(list)-1]
}

// collect returns all unreachable memory to the driver.
func (c *card) collect() {
	c.synchronize()
	for range 3 { // cleanups run after a collection
		runtime.GC()
		runtime.Gosched()
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, list := range c.free {
		for _, at := range list {
			c.call("cuMemFree_v2", at)
			delete(c.held, at)
		}
	}
	clear(c.free)
}

// Close frees the memory of the card, also after an error. All later operations fail.
func (d *Device) Close() error {
	d.err = nil
	d.do(func() error {
		err := d.synchronize()
		for at := range d.held {
			err = cmp.Or(err, d.check("cuMemFree_v2", at))
		}
		for _, values := range d.staged {
			err = cmp.Or(err, d.check("cuMemFreeHost", uintptr(unsafe.Pointer(&values[0]))))
		}
		return cmp.Or(err, d.check("cudnnDestroy", d.cudnn), d.check("cuModuleUnload", d.module), d.check("cuStreamDestroy_v2", d.stream))
	})
	err := d.Err()
	d.err = errors.New("closed")
	return err
}

func (c *card) synchronize() error { return c.check("cuStreamSynchronize", c.stream) }

// floats are pinned values on the host, from where copies are fast.
func (c *card) floats(n int) ([]float32, error) {
	var at unsafe.Pointer
	if err := c.check("cuMemAllocHost_v2", uintptr(unsafe.Pointer(&at)), uintptr(4*n)); err != nil {
		return nil, err
	}
	return unsafe.Slice((*float32)(at), n), nil
}

func (c *card) upload(to uintptr, from unsafe.Pointer, bytes int) error {
	return c.check("cuMemcpyHtoDAsync_v2", to, uintptr(from), uintptr(bytes), c.stream)
}

func (c *card) download(to unsafe.Pointer, from uintptr, bytes int) error {
	if err := c.check("cuMemcpyDtoHAsync_v2", uintptr(to), from, uintptr(bytes), c.stream); err != nil {
		return err
	}
	return c.synchronize()
}

func (c *card) zero(m *memory) error {
	return c.check("cuMemsetD8Async", m.at, 0, uintptr(m.bytes), c.stream)
}

// grid is the size of a launch: blocks of threads, and bytes of shared memory for each.
type grid struct{ blocks, threads, shared int }

// launch starts a kernel. Its arguments are integers, pointers and [float] values.
func (c *card) launch(name string, g grid, arguments ...uintptr) error {
	function := c.kernels[name]
	if function == 0 {
		text := append([]byte(name), 0)
		if err := c.check("cuModuleGetFunction", uintptr(unsafe.Pointer(&function)), c.module, uintptr(unsafe.Pointer(&text[0]))); err != nil {
			return err
		}
		c.kernels[name] = function
	}
	for i, a := range arguments {
		c.slots[i] = uint64(a)
		c.pointers[i] = uintptr(unsafe.Pointer(&c.slots[i]))
	}
	if err := c.check("cuLaunchKernel", function, uintptr(g.blocks), 1, 1, uintptr(g.threads), 1, 1, uintptr(g.shared), c.stream,
		uintptr(unsafe.Pointer(&c.pointers[0])), 0); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// float is a float argument of a kernel.
func float[F float32 | float64](v F) uintptr { return uintptr(math.Float32bits(float32(v))) }

// flag is a boolean argument of a kernel.
func flag(on bool) uintptr {
	if on {
		return 1
	}
	return 0
}

// flat is the launch for n independent values.
func (c *card) flat(n int) grid {
	const threads = 256
	return grid{blocks: max(1, min((n+threads-1)/threads, 16*c.processors)), threads: threads}
}

// rowThreads is the least number of threads of a block that computes rows of channels.
const rowThreads = 256

// rows is the launch for rows of groups of 8 channels, with perProcessor blocks at most.
func (c *card) rows(rows, groups, perProcessor int) grid {
	lanes := max(1, rowThreads/groups)
	return grid{blocks: max(1, min((rows+lanes-1)/lanes, perProcessor*c.processors)), threads: lanes * groups, shared: lanes * groups * 8 * 4}
}
