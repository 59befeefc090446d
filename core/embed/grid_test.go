package embed_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// whole keeps pictures at their size, as in the reference.
func whole(size int) imaging.Preprocess {
	return imaging.Preprocess{Size: size, Resize: size, Std: plain}
}

// pixels returns the rectangle of a view for a crop's region.
func pixels(r embed.Region, view *imaging.Image) [4]int {
	at := func(share float32, side int) int { return int(math.Round(float64(share) * float64(side))) }
	return [4]int{at(r.X0, view.Width), at(r.Y0, view.Height), at(r.X1, view.Width), at(r.Y1, view.Height)}
}

// The reference's get_grid_location computed the expected crops.
func TestGridCrops(t *testing.T) {
	tests := []struct {
		grid          embed.Grid
		width, height int
		columns, rows [][2]int
	}{
		{embed.Grid{Levels: []int{1}, Ratio: 2}, 32, 32, [][2]int{{0, 32}}, [][2]int{{0, 32}}},
		{embed.Grid{Levels: []int{2}, Ratio: 2}, 32, 32, [][2]int{{0, 24}, {8, 32}}, [][2]int{{0, 24}, {8, 32}}},
		{embed.Grid{Levels: []int{3}, Ratio: 2}, 32, 32, [][2]int{{0, 15}, {5, 25}, {15, 32}}, [][2]int{{0, 15}, {5, 25}, {15, 32}}},
		{embed.Grid{Levels: []int{3}, Ratio: 2}, 84, 64, [][2]int{{0, 42}, {14, 70}, {42, 84}}, [][2]int{{0, 31}, {10, 52}, {31, 64}}},
		{embed.Grid{Levels: []int{2}, Ratio: 1}, 32, 32, [][2]int{{0, 16}, {16, 32}}, [][2]int{{0, 16}, {16, 32}}},
		{embed.Grid{Levels: []int{2}, Ratio: 0.01}, 32, 32, [][2]int{{8, 9}, {24, 25}}, [][2]int{{8, 9}, {24, 25}}}, // one pixel is kept
		{embed.Grid{Levels: []int{4}, Ratio: 2}, 2, 3, slices.Repeat([][2]int{{0, 1}}, 4), slices.Repeat([][2]int{{0, 1}}, 4)},
	}
	for _, test := range tests {
		name := fmt.Sprintf("%v of %d×%d", test.grid, test.width, test.height)
		pre := whole(16)
		view := test.grid.View(pre, &imaging.Image{Width: test.width, Height: test.height, Pix: make([]uint8, test.width*test.height*3)})
		crops := test.grid.Crops(pre, view)
		if len(crops) != len(test.rows)*len(test.columns) {
			t.Fatalf("%s: %d crops", name, len(crops))
		}
		for i, crop := range crops {
			y, x := test.rows[i/len(test.columns)], test.columns[i%len(test.columns)]
			if got, want := pixels(crop.Region, view), [4]int{x[0], y[0], x[1], y[1]}; got != want {
				t.Errorf("%s: crop %d is %v, want %v", name, i, got, want)
			}
			if crop.Picture.Width != 16 || crop.Picture.Height != 16 {
				t.Errorf("%s: crop %d has %d×%d pixels", name, i, crop.Picture.Width, crop.Picture.Height)
			}
		}
	}
}

// A crop is scaled like Pillow, its node is the mean of its map, and levels are in the order of the
// list.
func TestGridNodes(t *testing.T) {
	grid, pre := embed.Grid{Levels: []int{3, 1, 2}, Ratio: 2}, imaging.Preprocess{Size: 32, Std: plain}
	enc := &tiles{stride: 16}
	img := gradient(90, 51)
	sets := require.Value(embed.Embed(grid, enc, pre, img, gradient(90, 102)))(t)
	if want := []int{8, 8, 8, 4}; !slices.Equal(enc.batches, want) {
		t.Errorf("batches of %v crops, want %v: those of two pictures share them", enc.batches, want)
	}
	for i, blue := range []float32{51, 102} {
		set := sets[i]
		if err := set.Check(); err != nil || set.N != 9+1+4 || len(set.Regions) != set.N {
			t.Fatalf("%d nodes, %d regions, %v", set.N, len(set.Regions), err)
		}
		for k, r := range set.Regions {
			node := set.Node(k)
			for c, center := range []float32{90*(r.X0+r.X1)/2 - 0.5, 90*(r.Y0+r.Y1)/2 - 0.5, blue} {
				if d := 255*node[c] - center; d > 0.6 || d < -0.6 {
					t.Errorf("picture %d, node %d, channel %d: %v, its region is centered at %v", i, k, c, 255*node[c], center)
				}
			}
		}
	}
	crop := grid.Crops(pre, img)[4]
	want := imaging.Resize(imaging.Crop(img, 15, 15, 60, 60), 32, 32)
	if !slices.Equal(crop.Picture.Pix, want.Pix) {
		t.Error("the middle of three by three is not the scaled crop")
	}
}

// Encoding crops in several places gives the same set.
func TestPoolElsewhere(t *testing.T) {
	pre := imaging.Preprocess{Size: 32, Std: plain}
	for _, e := range []embed.Embedder{embed.Grid{Levels: []int{2, 3}, Ratio: 2}, embed.Sampling{Patches: 13, Seed: 3}} {
		img := gradient(50, 7)
		want := require.Value(embed.Embed(e, &tiles{stride: 16}, pre, img))(t)
		crops := e.Crops(pre, e.View(pre, img))
		pooled := tensor.New(len(crops), 1, 1, 3)
		for _, part := range [][2]int{{0, 1}, {1, 11}, {11, 13}} {
			var pictures []*imaging.Image
			for _, crop := range crops[part[0]:part[1]] {
				pictures = append(pictures, crop.Picture)
			}
			p := require.Value(embed.Pool(&tiles{stride: 16}, pre, pictures...))(t)
			p.MustShape("pooled", len(pictures), 1, 1, 3)
			copy(pooled.Data[3*part[0]:], p.Data)
		}
		got := e.Set(crops, pooled)
		if !slices.Equal(got.Data, want[0].Data) || !slices.Equal(got.Regions, want[0].Regions) {
			t.Errorf("%T: the set differs", e)
		}
	}
	if p, err := embed.Pool(&tiles{stride: 16}, pre); err != nil || p.Shape[0] != 0 {
		t.Errorf("no crops: %v, %v", p, err)
	}
}

// With Resize the whole picture is cut into crops, and the region is the center of each scaled
// crop.
func TestCropsByWayOf(t *testing.T) {
	grid, pre := embed.Grid{Levels: []int{1}, Ratio: 1}, imaging.Preprocess{Size: 32, Resize: 40, Std: plain}
	img := &imaging.Image{Width: 80, Height: 160, Pix: make([]uint8, 80*160*3)}
	for i := range img.Pix {
		img.Pix[i] = uint8(i / 240)
	}
	view := grid.View(pre, img)
	if view != img {
		t.Errorf("a view of %d×%d, want the whole picture", view.Width, view.Height)
	}
	crop := grid.Crops(pre, view)[0]
	if want := pre.Pixels(img); !slices.Equal(crop.Picture.Pix, want.Pix) {
		t.Error("the crop is not scaled and cut as preprocessing says")
	}
	if want := (embed.Region{X0: 0.1, Y0: 0.1, X1: 0.9, Y1: 0.9}); crop.Region != want {
		t.Errorf("region %v, want %v", crop.Region, want)
	}
}

func TestViews(t *testing.T) {
	pre := imaging.Preprocess{Size: 16, Std: plain}
	for _, test := range []struct {
		e                   embed.Embedder
		width, height, side int
	}{
		{embed.FCN{}, 200, 100, 16},
		{embed.Grid{}, 200, 100, 64},
		{embed.Grid{}, 20, 30, 20},
		{embed.Sampling{}, 64, 65, 64},
		{embed.Sampling{}, 7, 7, 7},
	} {
		img := &imaging.Image{Width: test.width, Height: test.height, Pix: make([]uint8, test.width*test.height*3)}
		for i := range img.Pix {
			img.Pix[i] = uint8(i * i)
		}
		view := test.e.View(pre, img)
		if view.Width != test.side || view.Height != test.side {
			t.Errorf("%T of %d×%d: a view of %d×%d, want %d×%d", test.e, test.width, test.height, view.Width, view.Height, test.side, test.side)
		}
		if again := test.e.View(pre, view); !slices.Equal(again.Pix, view.Pix) {
			t.Errorf("%T of %d×%d: the view of the view is another", test.e, test.width, test.height)
		}
	}
}

// An error in the middle of a picture leaves nothing behind.
func TestWorkspaceAfterAnError(t *testing.T) {
	grid, pre := embed.Grid{Levels: []int{3}, Ratio: 1}, imaging.Preprocess{Size: 32, Std: plain}
	crops := grid.Crops(pre, gradient(96, 0)) // of two passes
	var w embed.Workspace
	if sets, err := w.Encode(grid, &failing{tiles{stride: 16}}, pre, crops); err == nil {
		t.Fatalf("a second pass that fails gives %v", sets)
	}
	got := require.Value(w.Encode(grid, &tiles{stride: 16}, pre, crops))(t)
	if want := require.Value(embed.Embed(grid, &tiles{stride: 16}, pre, gradient(96, 0)))(t); !slices.Equal(got[0].Data, want[0].Data) {
		t.Errorf("after an error: %v, want %v", got[0].Data, want[0].Data)
	}
}

// failing has an error in its second pass.
type failing struct{ tiles }

func (f *failing) Forward(batch *tensor.Tensor) (*tensor.Tensor, error) {
	if len(f.batches) == 1 {
		f.err = errors.New("no memory")
	}
	return f.tiles.Forward(batch)
}
