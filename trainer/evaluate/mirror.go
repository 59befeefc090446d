package evaluate

import (
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Mirrored is FCN with the mean of the maps of an image and of its mirror image (test-time
// augmentation). The second map is mirrored back, so that each position averages the same place.
type Mirrored struct{ embed.FCN }

// Crops implements embed.Embedder: the image and its mirror image.
func (m Mirrored) Crops(pre imaging.Preprocess, picture *imaging.Image) []embed.Crop {
	crops := m.FCN.Crops(pre, picture)
	return append(crops, embed.Crop{Picture: imaging.Orient(picture, imaging.Mirrored), Region: crops[0].Region})
}

// Set implements embed.Embedder: the nodes of the mean map.
func (m Mirrored) Set(crops []embed.Crop, maps *tensor.Tensor) *embed.Set {
	maps.MustShape("feature maps", 2, -1, -1, -1)
	h, w, c := maps.Shape[1], maps.Shape[2], maps.Shape[3]
	plain, mirror, mean := maps.Row(0), maps.Row(1), tensor.New(1, h, w, c)
	for i := range mean.Data {
		x := i / c % w
		mean.Data[i] = (plain[i] + mirror[i+(w-1-2*x)*c]) / 2
	}
	return m.FCN.Set(crops[:1], mean)
}
