package kernel

// Products of bytes: activations of 7 bits, from 0 to [MaxActivation], by weights of 8,
// from −[MaxWeight] to [MaxWeight], in sums of 32. Every set gives the same sums.
//
// An activation has a bit less than a byte, since processors differ in what they do with
// the eighth: some take it for a sign, others saturate sums of two products at 16 bits.
// 2·127·127 is below that.

const (
	// MaxActivation is the largest activation; the smallest is 0.
	MaxActivation = 127
	// MaxWeight is the largest weight, and its negative the smallest.
	MaxWeight = 127
	// ByteRows divides the number of rows of a product of bytes.
	ByteRows = 4
)

// quad is how many terms of a sum lie together: what one instruction adds up.
const quad = 4

// Terms of a sum come in groups of [Lanes], and lie in memory in the order that vectors of
// four floats are narrowed in: 0, 4, 8, 12, 1, 5, …. place is where the i-th lies.
func place(i int) int { return i/Lanes*Lanes + i%quad*quad + i%Lanes/quad }

// PackBytes lays out the k×n matrix B for [Set.BytePanel] in dst, which has k·n elements,
// zeros at first; both are multiples of [Lanes]. Panels are those of [Set.Pack]; column
// returns a column, of k elements or the first of them, and zeros are the others.
func (s *Set) PackBytes(dst []int8, k, n int, column func(col int) []int8) {
	if k%Lanes != 0 || n%Lanes != 0 || len(dst) != k*n {
		panic("kernel: packed bytes of another length, or sides that are no multiples of Lanes")
	}
	for p := range s.Panels(n) {
		col, width := s.Panel(n, p)
		panel := dst[col*k:]
		for j := range width {
			for row, v := range column(col + j) {
				to := place(row)
				panel[to/quad*quad*width+j*quad+to%quad] = v
			}
		}
	}
}

// Widest is the number of columns of the widest panel.
func (s *Set) Widest() int { return s.panel }

// Quantize writes rows of c floats, stride apart, as activations: the smallest of a row
// becomes 0, the largest [MaxActivation], and low and step of the row say that an
// activation q stands for low + step·q. c is a multiple of [Lanes].
func (s *Set) Quantize(dst []uint8, low, step, src []float32, rows, c, stride int) {
	if rows <= 0 {
		return
	}
	_, _, _, _ = dst[rows*c-1], low[rows-1], step[rows-1], src[(rows-1)*stride+c-1]
	s.quantize(&dst[0], &low[0], &step[0], &src[0], rows, c, stride)
}

// BytePanel computes the product of activations [rows, k], a multiple of [ByteRows] rows,
// and a panel of packed weights as sums [rows, width].
func (s *Set) BytePanel(width, rows, k int, a []uint8, b []int8, sums []int32) {
	if rows%ByteRows != 0 || rows <= 0 || k%Lanes != 0 || k <= 0 {
		panic("kernel: product of bytes whose rows or terms are not whole")
	}
	_, _, _ = a[rows*k-1], b[k*width-1], sums[rows*width-1]
	s.bytePanel(width, rows, k, &a[0], &b[0], &sums[0])
}

// FinishBytes ends a product of bytes for rows of width columns, which are stride apart in
// dst: dst = leaky(scale·step·sum + low·total + bias), where low and step are those that
// [Set.Quantize] gave to the rows. With add set, dst is added before leaky; see
// [Set.WinogradOutput].
func (s *Set) FinishBytes(dst []float32, stride int, sums []int32, rows, width int, low, step []float32, c ByteColumns, add bool, slope float32) {
	if rows <= 0 {
		return
	}
	_, _, _, _ = dst[(rows-1)*stride+width-1], sums[rows*width-1], low[rows-1], step[rows-1]
	_, _, _ = c.Scale[width-1], c.Total[width-1], c.Bias[width-1]
	s.finishBytes(&dst[0], stride, &sums[0], rows, width, &low[0], &step[0], &c.Scale[0], &c.Total[0], &c.Bias[0], add, slope)
}

// ByteColumns are facts of columns of weights, one value a column.
type ByteColumns struct {
	Scale []float32 // what a weight of 1 stands for
	Total []float32 // the sum of the weights, times Scale
	Bias  []float32
}

// From are the facts of the columns from col on.
func (c ByteColumns) From(col int) ByteColumns {
	return ByteColumns{c.Scale[col:], c.Total[col:], c.Bias[col:]}
}

// bytePanelFunc computes a panel's sums; rows is a multiple of ByteRows, k of Lanes.
type bytePanelFunc func(width, rows, k int, a *uint8, b *int8, sums *int32)
