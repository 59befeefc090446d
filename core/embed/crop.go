package embed

import (
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/tensor"
)

// oversampling bounds the side of the square that crops are cut from, in sides of the network's
// input. Crops of a quarter of the side would lose any finer detail.
const oversampling = 4

// cropper is embedded by the embedders that make one node of each crop.
type cropper struct{}

// View implements Embedder: the largest central square, at most four times the network's input. With
// pre.Resize > 0 it is the whole picture, as in the reference.
func (cropper) View(pre imaging.Preprocess, img *imaging.Image) *imaging.Image {
	if pre.Resize > 0 {
		return img
	}
	return imaging.Preprocess{Size: min(img.Width, img.Height, oversampling*pre.Size)}.Pixels(img)
}

// rect is a non-empty rectangle of pixels: columns x0 to x1−1, rows y0 to y1−1.
type rect struct{ x0, y0, x1, y1 int }

// cut crops a rectangle of the view and scales it to the input's size without keeping its aspect
// ratio, as in the reference. With pre.Resize > 0 it scales the crop to that size and keeps the
// center.
func cut(pre imaging.Preprocess, view *imaging.Image, r rect) Crop {
	part := imaging.Crop(view, r.x0, r.y0, r.x1-r.x0, r.y1-r.y0)
	scaled, margin := pre.Size, 0
	if pre.Resize > pre.Size {
		scaled, margin = pre.Resize, (pre.Resize-pre.Size)/2
	}
	edge := func(from, to, at, side int) float32 {
		return float32(float64(from)/float64(side) + float64(float64((to-from)*at)/float64(scaled*side)))
	}
	crop := Crop{Region: Region{
		X0: edge(r.x0, r.x1, margin, view.Width), Y0: edge(r.y0, r.y1, margin, view.Height),
		X1: edge(r.x0, r.x1, margin+pre.Size, view.Width), Y1: edge(r.y0, r.y1, margin+pre.Size, view.Height),
	}}
	if pre.Resize > 0 {
		crop.Picture = pre.Pixels(part)
	} else {
		crop.Picture = imaging.Resize(part, pre.Size, pre.Size)
	}
	return crop
}

// Set implements Embedder: the mean of each crop's feature map (average pooling).
func (cropper) Set(crops []Crop, maps *tensor.Tensor) *Set {
	maps.MustShape("feature maps", len(crops), -1, -1, -1)
	h, w, c := maps.Shape[1], maps.Shape[2], maps.Shape[3]
	set := &Set{N: len(crops), C: c, Data: make([]float32, len(crops)*c), Regions: make([]Region, len(crops))}
	for i, crop := range crops {
		PoolMap(set.Node(i), maps.Row(i), h, w, c, 1)
		set.Regions[i] = crop.Region
	}
	return set
}
