//go:build (amd64 || arm64) && !nocuda

package cuda

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// libraries are the functions of NVIDIA's libraries by name.
type libraries map[string]uintptr

// wanted is a library with the functions that are used, and the package that has it.
var wanted = []struct {
	files, names []string // newest version first
	from         string
}{ // the first is the driver
	{[]string{"libcuda.so.1"}, []string{
		"cuInit", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceGetAttribute", "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent",
		"cuMemGetInfo_v2", "cuMemAlloc_v2", "cuMemFree_v2", "cuMemAllocHost_v2", "cuMemFreeHost", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2",
		"cuMemsetD8Async", "cuStreamCreate", "cuStreamSynchronize", "cuStreamDestroy_v2", "cuModuleLoadData", "cuModuleUnload", "cuModuleGetFunction",
		"cuLaunchKernel", "cuGetErrorString",
	}, "NVIDIA's driver, version 525 or later"},
	{[]string{"libnvrtc.so.13", "libnvrtc.so.12"}, []string{
		"nvrtcCreateProgram", "nvrtcCompileProgram", "nvrtcGetProgramLogSize", "nvrtcGetProgramLog", "nvrtcGetCUBINSize", "nvrtcGetCUBIN",
		"nvrtcDestroyProgram", "nvrtcGetErrorString",
	}, "CUDA 12 or 13: the CUDA toolkit, or the Python package nvidia-cuda-nvrtc, which comes with torch"},
	{[]string{"libcudnn.so.9"}, []string{
		"cudnnCreate", "cudnnDestroy", "cudnnSetStream", "cudnnGetErrorString", "cudnnCreateTensorDescriptor", "cudnnSetTensor4dDescriptor",
		"cudnnCreateFilterDescriptor", "cudnnSetFilter4dDescriptor", "cudnnCreateConvolutionDescriptor", "cudnnSetConvolution2dDescriptor",
		"cudnnSetConvolutionMathType", "cudnnFindConvolutionForwardAlgorithmEx", "cudnnFindConvolutionBackwardDataAlgorithmEx",
		"cudnnFindConvolutionBackwardFilterAlgorithmEx", "cudnnConvolutionForward", "cudnnConvolutionBackwardData", "cudnnConvolutionBackwardFilter",
	}, "cuDNN 9: NVIDIA's package cudnn, or the Python package nvidia-cudnn-cu13 or -cu12, which comes with torch"},
}

// open opens the libraries.
func open() (libraries, error) {
	folders := folders()
	// cuDNN needs cuBLAS, which it does not find in every installation.
	for _, name := range []string{"libcublasLt.so.13", "libcublas.so.13", "libcublasLt.so.12", "libcublas.so.12"} {
		_, _ = openFirst([]string{name}, folders)
	}
	all := libraries{}
	for i, w := range wanted {
		handle, err := openFirst(w.files, folders)
		if err != nil && i == 0 {
			err = fmt.Errorf("%w: %w", ErrNone, err)
		}
		if err != nil {
			return nil, fmt.Errorf("%w; it is part of %s; LD_LIBRARY_PATH names further folders", err, w.from)
		}
		for _, name := range w.names {
			if all[name], err = purego.Dlsym(handle, name); err != nil {
				return nil, fmt.Errorf("%s has no %s: want %s", strings.Join(w.files, " or "), name, w.from)
			}
		}
	}
	return all, nil
}

// openFirst opens the first of a library's files that some folder has. An empty folder is the
// system's search path.
func openFirst(files, folders []string) (uintptr, error) {
	// The system keeps the cause of a failure by thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var problem error
	for _, file := range files {
		for _, folder := range folders {
			path := filepath.Join(folder, file)
			if folder != "" {
				if _, err := os.Stat(path); err != nil {
					continue
				}
			}
			handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
			if err == nil {
				return handle, nil
			}
			if problem == nil || folder != "" { // a file that exists says more
				problem = err
			}
		}
	}
	return 0, fmt.Errorf("%s cannot be opened: %w", strings.Join(files, " or "), problem)
}

// folders lists where the CUDA toolkit and PyTorch install libraries, and "", the system's search path.
// The current folder is none of them, although variables may be empty: it may belong to others.
func folders() []string {
	all := []string{""}
	for _, root := range []string{os.Getenv("CUDA_HOME"), os.Getenv("CUDA_PATH"), "/usr/local/cuda"} {
		if filepath.IsAbs(root) {
			all = append(all, filepath.Join(root, "lib64"))
		}
	}
	roots := []string{os.Getenv("VIRTUAL_ENV"), os.Getenv("CONDA_PREFIX"), filepath.Join(os.Getenv("HOME"), ".local")}
	if python, err := exec.LookPath("python3"); err == nil {
		roots = append(roots, filepath.Dir(filepath.Dir(python)))
		if python, err = filepath.EvalSymlinks(python); err == nil {
			roots = append(roots, filepath.Dir(filepath.Dir(python)))
		}
	}
	for _, root := range slices.DeleteFunc(roots, func(root string) bool { return !filepath.IsAbs(root) }) {
		found, _ := filepath.Glob(filepath.Join(root, "lib/python3*/*-packages/nvidia/*/lib")) // no error: the pattern is valid
		all = append(all, found...)
	}
	return append(all, "/usr/local/nvidia/lib64")
}

// call calls a function and ignores its status.
//
//go:uintptrescapes
func (l libraries) call(name string, args ...uintptr) { purego.SyscallN(l[name], args...) }

// check calls a function and returns its status as an error.
//
//go:uintptrescapes
func (l libraries) check(name string, args ...uintptr) error {
	r, _, _ := purego.SyscallN(l[name], args...)
	if status := int32(r); status != 0 {
		return &failure{name, status, l.explain(name, status)}
	}
	return nil
}

// failure is an error of a library.
type failure struct {
	function string
	status   int32
	text     string
}

// Error names the function and the library's text.
func (e *failure) Error() string { return fmt.Sprintf("%s: %s (%d)", e.function, e.text, e.status) }

// outOfMemory is the driver's status for too little memory on the card.
const outOfMemory = 2

func isOutOfMemory(err error) bool {
	var f *failure
	return errors.As(err, &f) && strings.HasPrefix(f.function, "cuMem") && f.status == outOfMemory
}

func (l libraries) explain(name string, status int32) string {
	var text uintptr
	switch {
	case strings.HasPrefix(name, "cudnn"):
		text, _, _ = purego.SyscallN(l["cudnnGetErrorString"], uintptr(status))
	case strings.HasPrefix(name, "nvrtc"):
		text, _, _ = purego.SyscallN(l["nvrtcGetErrorString"], uintptr(status))
	default:
		l.call("cuGetErrorString", uintptr(status), uintptr(unsafe.Pointer(&text)))
	}
	if text == 0 {
		return "unknown error"
	}
	return foreign(text)
}

// foreign copies a C string.
func foreign(at uintptr) string {
	var text []byte
	for p := *(*unsafe.Pointer)(unsafe.Pointer(&at)); *(*byte)(p) != 0; p = unsafe.Add(p, 1) {
		text = append(text, *(*byte)(p))
	}
	return string(text)
}

// compile compiles the kernels for a compute capability, for example 90, and returns the machine
// code.
func (l libraries) compile(source string, capability int, options ...string) ([]byte, error) {
	text := append([]byte(source), 0)
	var program uintptr
	if err := l.check("nvrtcCreateProgram", uintptr(unsafe.Pointer(&program)), uintptr(unsafe.Pointer(&text[0])), 0, 0, 0, 0); err != nil {
		return nil, err
	}
	defer l.call("nvrtcDestroyProgram", uintptr(unsafe.Pointer(&program)))
	var held [][]byte
	var pointers []uintptr
	for _, o := range append(options, fmt.Sprintf("--gpu-architecture=sm_%d", capability), "-default-device") {
		held = append(held, append([]byte(o), 0))
		pointers = append(pointers, uintptr(unsafe.Pointer(&held[len(held)-1][0])))
	}
	err := l.check("nvrtcCompileProgram", program, uintptr(len(pointers)), uintptr(unsafe.Pointer(&pointers[0])))
	runtime.KeepAlive(held)
	if err != nil {
		var size uintptr
		l.call("nvrtcGetProgramLogSize", program, uintptr(unsafe.Pointer(&size)))
		log := make([]byte, size+1)
		l.call("nvrtcGetProgramLog", program, uintptr(unsafe.Pointer(&log[0])))
		return nil, fmt.Errorf("%w:\n%s", err, log)
	}
	var size uintptr
	if err := l.check("nvrtcGetCUBINSize", program, uintptr(unsafe.Pointer(&size))); err != nil {
		return nil, err
	}
	code := make([]byte, size)
	return code, l.check("nvrtcGetCUBIN", program, uintptr(unsafe.Pointer(&code[0])))
}
