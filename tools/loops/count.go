package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// pair is a kernel's count on both: instructions for each vector of multiply-adds, or for a
// turn of its loops.
type pair struct {
	name       string
	avx2, neon float64
}

// kernel is a function and the instructions that it multiplies with, by how they begin in
// a listing, each with the multiply-adds of one.
type kernel struct {
	function   string
	multiplies map[string]int
}

// products are the kernels that multiply matrices.
var products = []struct {
	name       string
	avx2, neon kernel
}{
	{"A·B, 6×16 sums", kernel{"gemm_avx2_6x16", floatsAVX2}, kernel{"gemmNEON6x16", floats}},
	{"Aᵀ·B, 4×16 sums", kernel{"gemmt_avx2_4x16", floatsAVX2}, kernel{"gemmTNEON4x16", floats}},
	{"bytes, in pairs", kernel{"bytes4x16", bytesAVX2}, kernel{"bytesPairs4x16", map[string]int{"VSMULL": 8, "VSMULL2": 8}}},
	{"bytes, dot products", kernel{"bytes4x16", bytesAVX2}, kernel{"bytesDot4x16", dots}},
	{"pairs of bfloat16, beside float32", kernel{"gemm_avx2_6x16", floatsAVX2}, kernel{"dot_product", twos}},
	{"search in bytes", kernel{"vectorScan", map[string]int{"VPMADDWD": 16}}, kernel{"scanRows", map[string]int{"VSMLAL": 4, "VSMLAL2": 4}}},
}

var (
	floatsAVX2 = map[string]int{"VFMADD231PS": 8}
	floats     = map[string]int{"VFMLA": 4}
	// The listing has no name for SDOT and BFDOT.
	dots = map[string]int{"?": 16}
	twos = map[string]int{"?": 8}
	// What adds up the pairs afterwards (VPMADDWD) is no multiplication here.
	bytesAVX2 = map[string]int{"VPMADDUBSW": 32}
)

// vectors are kernels of one source for both, whose turns take one vector.
var vectors = []string{
	"vectorInputF2", "vectorInputF4", "vectorOutputF2", "vectorOutputF4", "vectorFilterF2", "vectorFilterF4",
	"vectorOutputAdjointF2", "vectorOutputAdjointF4", "vectorFilterAdjointF2", "vectorFilterAdjointF4",
	"vectorNormalize", "vectorMoments", "vectorUnleak", "vectorCombine", "vectorUnpool", "vectorFinish", "vectorMaxPool",
	"vectorDepthwise", "vectorDepthwiseRow", "vectorLargest", "vectorClamp", "vectorHardSwish", "vectorFinishBytes",
	"vectorGelu", "vectorUngelu", "vectorStandardize", "vectorUnstandardize", "vectorSoftmax", "vectorUnsoftmax", "vectorQuantize",
}

// lanes are the sums of a vector.
var lanes = map[string]int{"amd64": 8, "arm64": 4}

// count builds the kernels for both and counts.
func count() ([]pair, error) {
	amd64, err := disassemble("amd64")
	if err != nil {
		return nil, err
	}
	arm64, err := disassemble("arm64")
	if err != nil {
		return nil, err
	}
	var pairs []pair
	for _, p := range products {
		avx2, err := perProduct("amd64", amd64, p.avx2)
		if err != nil {
			return nil, err
		}
		neon, err := perProduct("arm64", arm64, p.neon)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, pair{p.name, avx2, neon})
	}
	for _, name := range vectors {
		avx2, neon, err := perTurn(amd64, arm64, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		pairs = append(pairs, pair{name, avx2, neon})
	}
	return pairs, nil
}

// disassemble lists the functions of the kernels as they are built for an architecture.
func disassemble(arch string) (map[string][]instruction, error) {
	dir, err := os.MkdirTemp("", "loops")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "kernel")
	const kernels = "github.com/deepemd/deepemd/core/kernel"
	env := []string{"GOOS=linux", "GOARCH=" + arch, "GOEXPERIMENT=simd"}
	if _, err := run(env, "test", "-c", "-o", binary, kernels); err != nil {
		return nil, err
	}
	listing, err := run(env, "tool", "objdump", "-s", `^`+kernels+`\.`, binary)
	if err != nil {
		return nil, err
	}
	return parse(arch, listing, kernels+".")
}

// perProduct is how many instructions the loop with the most multiply-adds has for each
// vector of them.
func perProduct(arch string, functions map[string][]instruction, k kernel) (float64, error) {
	best, all := 0, 0
	for _, loop := range innermost(functions[k.function]) {
		done := 0
		for _, in := range loop {
			done += k.multiplies[in.mnemonic]
		}
		if done > best {
			best, all = done, len(loop)
		}
	}
	if best == 0 {
		return 0, fmt.Errorf("%s on %s: no loop that multiplies", k.function, arch)
	}
	return float64(all) * float64(lanes[arch]) / float64(best), nil
}

// perTurn is how many instructions the innermost loops have in all that compute: those that
// clear memory for a tile are left out.
func perTurn(amd64, arm64 map[string][]instruction, name string) (avx2, neon float64, err error) {
	avx2, turns2 := computing(amd64, name)
	neon, turns := computing(arm64, name)
	if turns == 0 || turns != turns2 {
		return 0, 0, fmt.Errorf("%d loops that compute on amd64, %d on arm64", turns2, turns)
	}
	return avx2, neon, nil
}

// computing counts the innermost loops of a function that compute with floats, and their
// instructions with those of what they call.
func computing(functions map[string][]instruction, name string) (instructions float64, loops int) {
	for _, loop := range innermost(functions[name]) {
		if slices.ContainsFunc(loop, func(in instruction) bool { return arithmetic.MatchString(in.mnemonic) }) {
			instructions += float64(len(loop))
			loops++
			for _, in := range loop {
				instructions += float64(len(functions[in.calls]))
			}
		}
	}
	return instructions, loops
}

// arithmetic is the names of vector instructions that compute with floats.
var arithmetic = regexp.MustCompile(`^(V(ADD|SUB|MUL|MAX|MIN|DIV|CMP|FM).*PS|V?F(ADD|SUB|MUL|MAX|MIN|DIV|CMEQ|CMGT|MLA))$`)

// instruction is a line of a listing.
type instruction struct {
	address  uint64
	mnemonic string
	target   uint64 // of a jump, 0 for none
	calls    string // another kernel
	ends     bool   // nothing runs on from here to the next
	code     string // its bytes, in hexadecimal
}

// jumps tells whether a mnemonic is a jump, and whether it always jumps.
func jumps(arch, mnemonic string) (jump, always bool) {
	if mnemonic == "JMP" {
		return true, true
	}
	if arch == "amd64" {
		return strings.HasPrefix(mnemonic, "J"), false
	}
	return slices.Contains([]string{"CBZ", "CBZW", "CBNZ", "CBNZW", "TBZ", "TBNZ"}, mnemonic) ||
		slices.Contains([]string{"BEQ", "BNE", "BLT", "BLE", "BGT", "BGE", "BCC", "BCS", "BHI", "BLS", "BMI", "BPL", "BVS", "BVC", "BLO", "BHS"}, mnemonic), false
}
