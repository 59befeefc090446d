package backbone

import "github.com/deepemd/deepemd/internal/nn"

const (
	outerRows  = 128 // of the factors that are multiplied at a time: they stay in cache
	outerChunk = 64  // rows of the product that one unit of work has at most
)

// outer computes dw = xᵀ·dy, or adds to it: the gradient of weights [in, out] from the
// inputs x [rows, in] and the gradient of the outputs dy [rows, out]. in and out are
// multiples of the kernels' lanes. Every sum is taken in the order of the rows.
func outer(ctx *nn.Context, dw, x, dy []float32, rows, in, out int, add bool) {
	panels, chunks := ctx.Kernels.Panels(out), (in+outerChunk-1)/outerChunk
	ctx.Split(panels*chunks, func(from, to int) {
		for unit := from; unit < to; unit++ {
			col, width := ctx.Kernels.Panel(out, unit/chunks)
			first := unit % chunks * outerChunk
			terms := min(outerChunk, in-first)
			for row := 0; row < rows; row += outerRows {
				ctx.Kernels.GemmT(terms, min(outerRows, rows-row), width, x[row*in+first:], in, dy[row*out+col:], out, dw[first*out+col:], out, add || row > 0)
			}
		}
	})
}
