package kernel

// Products of bytes multiply 7-bit activations, from 0 to [MaxActivation], by 8-bit weights, from
// −[MaxWeight] to [MaxWeight], in 32-bit sums. Every set gives the same sums.
//
// Activations have 7 bits because processors treat the eighth differently: some as a sign, others
// saturate sums of two products at 16 bits, which 2·127·127 does not reach.

const (
	// MaxActivation is the largest activation; the smallest is 0.
	MaxActivation = 127
	// MaxWeight is the largest weight, and its negative the smallest.
	MaxWeight = 127
	// ByteRows divides the number of rows of a product of bytes.
	ByteRows = 4
)

// quad is the number of consecutive terms that one instruction sums.
const quad = 4

// termPosition returns the position of the i-th term of a sum. Terms are in groups of [Lanes], in the
// order in which vectors of four floats are narrowed: 0, 4, 8, 12, 1, 5, ….
func termPosition(i int) int { return i/Lanes*Lanes + i%quad*quad + i%Lanes/quad }

// PackBytes writes the k×n matrix B, whose sides are multiples of [Lanes], in the layout of
// [Set.BytePanel] to dst, which has k·n elements that are zero. Panels are the same as for
// [Set.Pack]. column returns the first elements of a column, at most k; the others are zero.
func (s *Set) PackBytes(dst []int8, k, n int, column func(col int) []int8) {
	if k%Lanes != 0 || n%Lanes != 0 || len(dst) != k*n {
		panic("kernel: packed bytes of another length, or sides that are no multiples of Lanes")
	}
	for p := range s.Panels(n) {
		col, width := s.Panel(n, p)
		panel := dst[col*k:]
		for j := range width {
			for row, v := range column(col + j) {
				to := termPosition(row)
				panel[to/quad*quad*width+j*quad+to%quad] = v
			}
		}
	}
}

// Widest returns the number of columns of the widest panel.
func (s *Set) Widest() int { return s.panel }

// Quantize writes rows of c floats, stride apart, as activations. It maps the smallest value of a
// row to 0 and the largest to [MaxActivation]: activation q represents low + step·q, with low and
// step for each row. c is a multiple of [Lanes].
func (s *Set) Quantize(dst []uint8, low, step, src []float32, rows, c, stride int) {
	if rows <= 0 {
		return
	}
	_, _, _, _ = dst[rows*c-1], low[rows-1], step[rows-1], src[(rows-1)*stride+c-1]
	s.quantize(&dst[0], &low[0], &step[0], &src[0], rows, c, stride)
}

// BytePanel computes the sums [rows, width] of activations [rows, k] and a panel of packed weights.
// rows is a multiple of [ByteRows].
func (s *Set) BytePanel(width, rows, k int, a []uint8, b []int8, sums []int32) {
	if rows%ByteRows != 0 || rows <= 0 || k%Lanes != 0 || k <= 0 {
		panic("kernel: product of bytes with incomplete rows or terms")
	}
	_, _, _ = a[rows*k-1], b[k*width-1], sums[rows*width-1]
	s.bytePanel(width, rows, k, &a[0], &b[0], &sums[0])
}

// FinishBytes computes the output of a layer from the sums of rows of width columns, stride apart
// in dst: dst = leaky(scale·step·sum + low·total + bias), with the low and step of [Set.Quantize].
// With add set, it adds dst before leaky; see [Set.WinogradOutput].
func (s *Set) FinishBytes(dst []float32, stride int, sums []int32, rows, width int, low, step []float32, c ByteColumns, add bool, slope float32) {
	if rows <= 0 {
		return
	}
	_, _, _, _ = dst[(rows-1)*stride+width-1], sums[rows*width-1], low[rows-1], step[rows-1]
	_, _, _ = c.Scale[width-1], c.Total[width-1], c.Bias[width-1]
	s.finishBytes(&dst[0], stride, &sums[0], rows, width, &low[0], &step[0], &c.Scale[0], &c.Total[0], &c.Bias[0], add, slope)
}

// ByteColumns hold a value for each column of weights.
type ByteColumns struct {
	Scale []float32 // value of a weight of 1
	Total []float32 // the sum of the weights, times Scale
	Bias  []float32
}

// From returns the columns starting at col.
func (c ByteColumns) From(col int) ByteColumns {
	return ByteColumns{c.Scale[col:], c.Total[col:], c.Bias[col:]}
}

// bytePanelFunc implements [Set.BytePanel].
type bytePanelFunc func(width, rows, k int, a *uint8, b *int8, sums *int32)
