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

// family is the kernels of one width, for 1 to rows rows.
type family struct {
	isa    string
	width  int // floats of a row of sums
	lanes  int // floats of a vector register
	rows   int
	vector func(i int) reg.VecPhysical
}

// The largest kernels leave registers for one row of B and two broadcasts: 14×2+2+2 = 32 for
// AVX-512, 6×2+2+2 = 16 for AVX2.
var families = []family{
	{isa: "avx512", width: 32, lanes: 16, rows: 14, vector: z},
	{isa: "avx512", width: 16, lanes: 16, rows: 14, vector: z},
	{isa: "avx2", width: 16, lanes: 8, rows: 6, vector: y},
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

func z(i int) reg.VecPhysical { return zs[i] }
func y(i int) reg.VecPhysical { return ys[i] }

// rowPointers point at every third row of A. Index registers with one and two strides address the
// rows between.
var rowPointers = []reg.GPPhysical{reg.RAX, reg.R9, reg.R10, reg.R11, reg.R12}

func main() {
	build.ConstraintExpr("amd64")
	for _, t := range families {
		for rows := 1; rows <= t.rows; rows++ {
			kernel(t, rows)
		}
	}
	for _, t := range outerFamilies {
		outer(t)
	}
	build.Generate()
}

func kernel(t family, rows int) {
	name := fmt.Sprintf("gemm_%s_%dx%d", t.isa, rows, t.width)
	build.TEXT(name, build.NOSPLIT, "func(k, lda, ldc int, a, b, c, from, bias *float32, next uintptr, step int, slope, most float32)")

	build.Pragma("noescape")

	p := parameters(t, rows)
	start(t, rows, p.acc, build.Load(build.Param("from"), reg.RSI), p.ldc)
	p.loop()
	end(t, rows, p.acc)
	finish(t, rows, p.acc, p.c, p.ldc)
}

// product is a kernel of A·B with its parameters in registers, the strides in bytes.
type product struct {
	family
	height          int // rows
	k, lda, ldc     reg.Register
	b, c            reg.Register
	next, step      reg.Register // prefetch address, and its increment for each step of k
	acc             func(row, j int) reg.VecPhysical
	vectors, groups int // vectors of a row; groups of three rows of A
}

func parameters(t family, rows int) product {
	p := product{family: t, height: rows, vectors: t.width / t.lanes, groups: (rows + 2) / 3}
	p.k = build.Load(build.Param("k"), reg.RCX)
	p.lda = build.Load(build.Param("lda"), reg.R8)
	p.ldc = build.Load(build.Param("ldc"), reg.RDI)
	build.Load(build.Param("a"), rowPointers[0])
	p.b = build.Load(build.Param("b"), reg.RBX)
	p.c = build.Load(build.Param("c"), reg.RDX)
	p.next = build.Load(build.Param("next"), reg.R14)
	p.step = build.Load(build.Param("step"), reg.R15)
	build.SHLQ(operand.U8(2), p.lda)
	build.SHLQ(operand.U8(2), p.ldc)
	p.acc = func(row, j int) reg.VecPhysical { return t.vector(row*p.vectors + j) }
	return p
}

func (p product) loop() {
	bRow := func(j int) reg.VecPhysical { return p.vector(p.height*p.vectors + j) }
	broadcast := func(row int) reg.VecPhysical { return p.vector(p.height*p.vectors + p.vectors + row%2) }
	if p.groups > 1 {
		build.LEAQ(operand.Mem{Base: p.lda, Index: p.lda, Scale: 2}, reg.R13)
		for g := 1; g < p.groups; g++ {
			build.LEAQ(operand.Mem{Base: rowPointers[g-1], Index: reg.R13, Scale: 1}, rowPointers[g])
		}
	}
	build.Label("loop")
	for line := 0; line < p.width*4; line += 64 {
		build.PREFETCHT1(operand.Mem{Base: p.next, Disp: line})
	}
	for j := range p.vectors {
		build.VMOVUPS(operand.Mem{Base: p.b, Disp: j * p.lanes * 4}, bRow(j))
	}
	for row := range p.height {
		from := operand.Mem{Base: rowPointers[row/3]}
		if row%3 != 0 {
			from.Index, from.Scale = p.lda, uint8(row%3)
		}
		build.VBROADCASTSS(from, broadcast(row))
		for j := range p.vectors {
			build.VFMADD231PS(broadcast(row), bRow(j), p.acc(row, j))
		}
	}
	for g := range p.groups {
		build.ADDQ(operand.Imm(4), rowPointers[g])
	}
	build.ADDQ(operand.Imm(uint64(p.width*4)), p.b)
	build.ADDQ(p.step, p.next)
	build.DECQ(p.k)
	build.JNZ(operand.LabelRef("loop"))
}

// end computes the end of the layer if there is a bias: min(leaky(sum + bias), most), with leaky(v)
// = max(v, slope·v). It reuses the registers of the rows of A and B.
func end(t family, rows int, acc func(row, j int) reg.VecPhysical) {
	vectors, bytes := t.width/t.lanes, t.lanes*4
	bias := build.Load(build.Param("bias"), reg.RSI)
	build.TESTQ(bias, bias)
	build.JZ(operand.LabelRef("ended"))
	slope, most, leaked := t.vector(rows*vectors), t.vector(rows*vectors+1), t.vector(rows*vectors+2)
	fill := func(name string, to reg.VecPhysical) {
		at, err := build.Param(name).Resolve()
		if err != nil {
			panic(err)
		}
		build.VBROADCASTSS(at.Addr, to)
	}
	fill("slope", slope)
	fill("most", most)
	for row := range rows {
		for j := range vectors {
			sum := acc(row, j)
			build.VADDPS(operand.Mem{Base: bias, Disp: j * bytes}, sum, sum)
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
	{isa: "avx512", width: 32, lanes: 16, rows: 8, vector: z},
	{isa: "avx512", width: 16, lanes: 16, rows: 8, vector: z},
	{isa: "avx2", width: 16, lanes: 8, rows: 4, vector: y},
}

// outer writes a kernel that reads A, [k, rows], and B, [k, width], with strides: a sum of outer
// products.
func outer(t family) {
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

	vectors := t.width / t.lanes
	bytes := t.lanes * 4
	acc := func(row, j int) reg.VecPhysical { return t.vector(row*vectors + j) }
	bRow := func(j int) reg.VecPhysical { return t.vector(t.rows*vectors + j) }
	broadcast := func(row int) reg.VecPhysical { return t.vector(t.rows*vectors + vectors + row%2) }

	from := reg.RSI
	build.XORQ(from, from)
	build.TESTB(accumulate, accumulate)
	build.CMOVQNE(c, from)
	start(t, t.rows, acc, from, ldc)
	build.Label("loop")
	for j := range vectors {
		build.VMOVUPS(operand.Mem{Base: b, Disp: j * bytes}, bRow(j))
	}
	for row := range t.rows {
		build.VBROADCASTSS(operand.Mem{Base: a, Disp: row * 4}, broadcast(row))
		for j := range vectors {
			build.VFMADD231PS(broadcast(row), bRow(j), acc(row, j))
		}
	}
	build.ADDQ(lda, a)
	build.ADDQ(ldb, b)
	build.DECQ(k)
	build.JNZ(operand.LabelRef("loop"))
	finish(t, t.rows, acc, c, ldc)
}

func start(t family, rows int, acc func(row, j int) reg.VecPhysical, from, ldc reg.Register) {
	vectors, bytes := t.width/t.lanes, t.lanes*4
	build.TESTQ(from, from)
	build.JZ(operand.LabelRef("zero"))
	for row := range rows {
		for j := range vectors {
			build.VMOVUPS(operand.Mem{Base: from, Disp: j * bytes}, acc(row, j))
		}
		if row < rows-1 {
			build.ADDQ(ldc, from)
		}
	}
	build.JMP(operand.LabelRef("ready"))
	build.Label("zero")
	for row := range rows {
		for j := range vectors {
			if t.isa == "avx512" {
				build.VPXORQ(acc(row, j), acc(row, j), acc(row, j))
			} else {
				build.VXORPS(acc(row, j), acc(row, j), acc(row, j))
			}
		}
	}
	build.Label("ready")
}

func finish(t family, rows int, acc func(row, j int) reg.VecPhysical, c, ldc reg.Register) {
	vectors, bytes := t.width/t.lanes, t.lanes*4
	for row := range rows {
		for j := range vectors {
			build.VMOVUPS(acc(row, j), operand.Mem{Base: c, Disp: j * bytes})
		}
		if row < rows-1 {
			build.ADDQ(ldc, c)
		}
	}
	build.VZEROUPPER()
	build.RET()
}
