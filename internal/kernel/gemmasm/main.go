// Command gemmasm writes internal/kernel/gemm_amd64.s: matrix products for AVX-512 and AVX2 that
// keep their sums in registers. Run it with go generate in internal/kernel.
//
// Every kernel computes rows × width sums of C = A·B (or C = from + A·B). It broadcasts one float
// of A for each row and step; B is packed as [k][width]. It also computes the end of the layer if
// there is a bias, and prefetches. A second family computes Aᵀ·B of unpacked matrices, without an
// end and without prefetching.
package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// family is the kernels of one width, for 1 to rows rows; its methods write the kernel for rows rows.
type family struct {
	isa    string
	width  int // floats of a row of sums
	lanes  int // floats of a vector register
	rows   int
	vector []reg.VecPhysical
}

// The largest kernels leave registers for one row of B and two broadcasts: 14×2+2+2 = 32 for
// AVX-512, 6×2+2+2 = 16 for AVX2.
var families = []family{
	{isa: "avx512", width: 32, lanes: 16, rows: 14, vector: zs},
	{isa: "avx512", width: 16, lanes: 16, rows: 14, vector: zs},
	{isa: "avx2", width: 16, lanes: 8, rows: 6, vector: ys},
}

var zs = []reg.VecPhysical{
	reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10,
	reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15, reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20,
	reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31,
}

var ys = []reg.VecPhysical{
	reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7,
	reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
}

// rowPointers point at every third row of A. Index registers with one and two strides address the
// rows between.
var rowPointers = []reg.GPPhysical{reg.RAX, reg.R9, reg.R10, reg.R11, reg.R12}

func main() {
	build.ConstraintExpr("amd64")
	for _, t := range families {
		for rows := range t.rows {
			t.rows = rows + 1
			t.kernel()
		}
	}
	for _, t := range outerFamilies {
		t.outer()
	}
	build.Generate()
}

// vectors returns the number of vectors of a row, and bytes the size of one.
func (t family) vectors() int { return t.width / t.lanes }
func (t family) bytes() int   { return t.lanes * 4 }

// sum, b and broadcast return the registers of a sum, of a row of B, and of a float of A.
func (t family) sum(row, j int) reg.VecPhysical { return t.vector[row*t.vectors()+j] }
func (t family) b(j int) reg.VecPhysical        { return t.vector[t.rows*t.vectors()+j] }
func (t family) broadcast(row int) reg.VecPhysical {
	return t.vector[(t.rows+1)*t.vectors()+row%2]
}

// each calls do for every sum, and after each row except the last adds a stride to the pointer of rows.
func (t family) each(rows, stride reg.Register, do func(j int, sum reg.VecPhysical)) {
	for row := range t.rows {
		for j := range t.vectors() {
			do(j, t.sum(row, j))
		}
		if row < t.rows-1 {
			build.ADDQ(stride, rows)
		}
	}
}

// kernel writes a kernel of A·B for t.rows rows. Strides become bytes; next is the prefetch address, and
// step its increment for each step of k.
func (t family) kernel() {
	build.TEXT(fmt.Sprintf("gemm_%s_%dx%d", t.isa, t.rows, t.width), build.NOSPLIT,
		"func(k, lda, ldc int, a, b, c, from, bias *float32, next uintptr, step int, slope, most float32)")

	build.Pragma("noescape")

	k := build.Load(build.Param("k"), reg.RCX)
	lda := build.Load(build.Param("lda"), reg.R8)
	ldc := build.Load(build.Param("ldc"), reg.RDI)
	build.Load(build.Param("a"), rowPointers[0])
	b := build.Load(build.Param("b"), reg.RBX)
	c := build.Load(build.Param("c"), reg.RDX)
	next := build.Load(build.Param("next"), reg.R14)
	step := build.Load(build.Param("step"), reg.R15)
	build.SHLQ(operand.U8(2), lda)
	build.SHLQ(operand.U8(2), ldc)
	t.start(build.Load(build.Param("from"), reg.RSI), ldc)
	groups := (t.rows + 2) / 3 // of three rows of A
	if groups > 1 {
		build.LEAQ(operand.Mem{Base: lda, Index: lda, Scale: 2}, reg.R13)
		for g := 1; g < groups; g++ {
			build.LEAQ(operand.Mem{Base: rowPointers[g-1], Index: reg.R13, Scale: 1}, rowPointers[g])
		}
	}
	build.Label("loop")
	for line := 0; line < t.width*4; line += 64 {
		build.PREFETCHT1(operand.Mem{Base: next, Disp: line})
	}
	t.multiply(b, func(row int) operand.Mem {
		from := operand.Mem{Base: rowPointers[row/3]}
		if row%3 != 0 {
			from.Index, from.Scale = lda, uint8(row%3)
		}
		return from
	})
	for g := range groups {
		build.ADDQ(operand.Imm(4), rowPointers[g])
	}
	build.ADDQ(operand.Imm(uint64(t.width*4)), b)
	build.ADDQ(step, next)
	build.DECQ(k)
	build.JNZ(operand.LabelRef("loop"))
	t.end()
	t.finish(c, ldc)
}

// multiply adds the products of a row of B with a float of A for each row of sums.
func (t family) multiply(b reg.Register, a func(row int) operand.Mem) {
	for j := range t.vectors() {
		build.VMOVUPS(operand.Mem{Base: b, Disp: j * t.bytes()}, t.b(j))
	}
	for row := range t.rows {
		build.VBROADCASTSS(a(row), t.broadcast(row))
		for j := range t.vectors() {
			build.VFMADD231PS(t.broadcast(row), t.b(j), t.sum(row, j))
		}
	}
}

// end computes the end of the layer if there is a bias: min(leaky(sum + bias), most), with leaky(v)
// = max(v, slope·v). It reuses the registers of the rows of A and B.
func (t family) end() {
	bias := build.Load(build.Param("bias"), reg.RSI)
	build.TESTQ(bias, bias)
	build.JZ(operand.LabelRef("ended"))
	first := t.rows * t.vectors()
	slope, most, leaked := t.vector[first], t.vector[first+1], t.vector[first+2]
	fill := func(name string, to reg.VecPhysical) {
		at, err := build.Param(name).Resolve()
		if err != nil {
			panic(err)
		}
		build.VBROADCASTSS(at.Addr, to)
	}
	fill("slope", slope)
	fill("most", most)
	for row := range t.rows {
		for j := range t.vectors() {
			sum := t.sum(row, j)
			build.VADDPS(operand.Mem{Base: bias, Disp: j * t.bytes()}, sum, sum)
			build.VMULPS(sum, slope, leaked)
			build.VMAXPS(leaked, sum, sum)
			build.VMINPS(most, sum, sum)
		}
	}
	build.Label("ended")
}

// outerFamilies are the kernels of Aᵀ·B, each of one row count: rows are channels, a multiple of
// 16.
var outerFamilies = []family{
	{isa: "avx512", width: 32, lanes: 16, rows: 8, vector: zs},
	{isa: "avx512", width: 16, lanes: 16, rows: 8, vector: zs},
	{isa: "avx2", width: 16, lanes: 8, rows: 4, vector: ys},
}

// outer writes a kernel that reads A, [k, rows], and B, [k, width], with strides: a sum of outer
// products.
func (t family) outer() {
	name := fmt.Sprintf("gemmt_%s_%dx%d", t.isa, t.rows, t.width)
	build.TEXT(name, build.NOSPLIT, "func(k, lda, ldb, ldc int, a, b, c *float32, accumulate bool)")

	build.Pragma("noescape")

	k := build.Load(build.Param("k"), reg.RCX)
	lda := build.Load(build.Param("lda"), reg.R8)
	ldb := build.Load(build.Param("ldb"), reg.R9)
	ldc := build.Load(build.Param("ldc"), reg.RDI)
	a := build.Load(build.Param("a"), reg.RAX)
	b := build.Load(build.Param("b"), reg.RBX)
	c := build.Load(build.Param("c"), reg.RDX)
	accumulate := build.Load(build.Param("accumulate"), reg.R13B)
	for _, stride := range []reg.Register{lda, ldb, ldc} {
		build.SHLQ(operand.U8(2), stride)
	}
	from := reg.RSI
	build.XORQ(from, from)
	build.TESTB(accumulate, accumulate)
	build.CMOVQNE(c, from)
	t.start(from, ldc)
	build.Label("loop")
	t.multiply(b, func(row int) operand.Mem { return operand.Mem{Base: a, Disp: row * 4} })
	build.ADDQ(lda, a)
	build.ADDQ(ldb, b)
	build.DECQ(k)
	build.JNZ(operand.LabelRef("loop"))
	t.finish(c, ldc)
}

// start loads the sums from memory, or clears them.
func (t family) start(from, ldc reg.Register) {
	build.TESTQ(from, from)
	build.JZ(operand.LabelRef("zero"))
	t.each(from, ldc, func(j int, sum reg.VecPhysical) {
		build.VMOVUPS(operand.Mem{Base: from, Disp: j * t.bytes()}, sum)
	})
	build.JMP(operand.LabelRef("ready"))
	build.Label("zero")
	for i := range t.rows * t.vectors() {
		if sum := t.vector[i]; t.isa == "avx512" {
			build.VPXORQ(sum, sum, sum)
		} else {
			build.VXORPS(sum, sum, sum)
		}
	}
	build.Label("ready")
}

func (t family) finish(c, ldc reg.Register) {
	t.each(c, ldc, func(j int, sum reg.VecPhysical) {
		build.VMOVUPS(sum, operand.Mem{Base: c, Disp: j * t.bytes()})
	})
	build.VZEROUPPER()
	build.RET()
}
