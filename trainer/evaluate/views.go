package evaluate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/tensor"
)

// View is a way to present an image to the network.
type View string

const (
	Plain   View = "plain"   // as in FCN
	Mirror  View = "mirror"  // left to right
	Corners View = "corners" // four: seven eighths of the side, from each corner
	Closer  View = "closer"  // the central seven eighths of the side
)

var allViews = []View{Plain, Mirror, Corners, Closer}

// ParseViews reads names of views, separated by commas. It returns an error for unknown and
// repeated names.
func ParseViews(text string) ([]View, error) {
	var views []View
	for _, name := range strings.Split(text, ",") {
		v := View(strings.TrimSpace(name))
		switch {
		case !slices.Contains(allViews, v):
			return nil, fmt.Errorf("view %q: want plain, mirror, corners or closer", v)
		case slices.Contains(views, v):
			return nil, fmt.Errorf("view %q is named twice", v)
		}
		views = append(views, v)
	}
	return views, nil
}

// Views is FCN with the mean of the maps of several views of an image (test-time augmentation). The
// map of a mirrored view is mirrored back, so that each position averages the same place.
type Views struct {
	embed.FCN
	Of []View
}

// Crops implements embed.Embedder: the views at the network's input size.
func (v Views) Crops(pre imaging.Preprocess, picture *imaging.Image) []embed.Crop {
	var crops []embed.Crop
	add := func(x, y, side int) {
		part := imaging.Crop(picture, x, y, side, side)
		if side < pre.Size {
			part = imaging.Resize(part, pre.Size, pre.Size)
		}
		crops = append(crops, embed.Crop{Picture: part, Region: embed.Region{X1: 1, Y1: 1}})
	}
	side := pre.Size * 7 / 8
	far := pre.Size - side
	for _, view := range v.Of {
		switch view {
		case Plain:
			add(0, 0, pre.Size)
		case Mirror:
			add(0, 0, pre.Size)
			mirrored(crops[len(crops)-1].Picture.Pix, pre.Size, pre.Size, 3)
		case Corners:
			add(0, 0, side)
			add(far, 0, side)
			add(0, far, side)
			add(far, far, side)
		case Closer:
			add(far/2, far/2, side)
		}
	}
	return crops
}

// Set implements embed.Embedder: the nodes of the mean map.
func (v Views) Set(crops []embed.Crop, maps *tensor.Tensor) *embed.Set {
	maps.MustShape("feature maps", len(crops), -1, -1, -1)
	mean := tensor.New(1, maps.Shape[1], maps.Shape[2], maps.Shape[3])
	at := 0
	for _, view := range v.Of {
		count := 1
		if view == Corners {
			count = 4
		}
		for range count {
			row := slices.Clone(maps.Row(at))
			if view == Mirror {
				mirrored(row, maps.Shape[1], maps.Shape[2], maps.Shape[3])
			}
			for i, x := range row {
				mean.Data[i] += x / float32(len(crops))
			}
			at++
		}
	}
	return v.FCN.Set(crops[:1], mean)
}

// mirrored mirrors h rows of w places with c values each, in place.
func mirrored[T any](values []T, h, w, c int) {
	for y := range h {
		row := values[y*w*c:][:w*c]
		for a, b := 0, w-1; a < b; a, b = a+1, b-1 {
			for k := range c {
				row[a*c+k], row[b*c+k] = row[b*c+k], row[a*c+k]
			}
		}
	}
}
