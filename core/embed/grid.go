package embed

import "github.com/deepemd/deepemd/core/imaging"

// Grid is the embedder with regular crops of DeepEMD, section 3.4 (an image pyramid if there are
// several grids): one node per cell.
type Grid struct {
	cropper

	// Levels lists the grids: n×n cells for each n. Nodes are in the order of the list, row by row.
	Levels []int
	// Ratio is the side of a crop in sides of its cell. The crop has the cell's center and is
	// clipped to the picture. The published method evaluates with 2 and trains with 1 to 3.
	Ratio float64
}

// Crops implements Embedder: a crop per cell.
func (g Grid) Crops(pre imaging.Preprocess, view *imaging.Image) []Crop {
	var crops []Crop
	for _, n := range g.Levels {
		columns, rows := g.spans(n, view.Width), g.spans(n, view.Height)
		for _, y := range rows {
			for _, x := range columns {
				crops = append(crops, cut(pre, view, rect{x[0], y[0], x[1], y[1]}))
			}
		}
	}
	return crops
}

// spans returns the half-open crops of n cells along an axis, with the reference's rounding. A crop
// has at least one pixel.
func (g Grid) spans(n, length int) [][2]int {
	cell := length / n
	half := int(float64(length)/float64(n)*g.Ratio) / 2
	spans := make([][2]int, n)
	for i := range spans {
		center := cell/2 + i*cell
		from := max(0, center-half)
		spans[i] = [2]int{from, max(from+1, min(length, center+half))}
	}
	return spans
}
