package embed_test

import (
	"math"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/require"
)

// The crops of an 84×84 picture on all machines. If they change, features stored by seed no longer
// agree with new ones.
func TestSamplingIsForGood(t *testing.T) {
	pre, img := whole(32), gradient(84, 0)
	want := [][4]int{
		{25, 18, 69, 51}, {13, 0, 79, 84}, {3, 1, 62, 51}, {5, 17, 72, 83}, {1, 8, 62, 65},
		{41, 34, 81, 65}, {4, 17, 71, 81}, {5, 2, 77, 80}, {13, 12, 49, 56},
	}
	view := embed.Sampling{}.View(pre, img)
	for i, crop := range (embed.Sampling{Patches: len(want), Seed: 1}).Crops(pre, view) {
		if got := pixels(crop.Region, view); got != want[i] {
			t.Errorf("crop %d is %v, want %v", i, got, want[i])
		}
	}
}

// A crop is the scaled part of the picture in its region, or its mirror image; both occur.
func TestSamplingCrops(t *testing.T) {
	pre, img := imaging.Preprocess{Size: 32, Std: plain}, gradient(128, 9)
	mirrored := 0
	crops := embed.Sampling{Patches: 200, Seed: 5}.Crops(pre, img)
	for i, crop := range crops {
		r := pixels(crop.Region, img)
		w, h := r[2]-r[0], r[3]-r[1]
		// Rounding a side changes it by at most half a pixel.
		if area := float64(w*h) / (128 * 128); area < 0.07 || area > 1 {
			t.Errorf("crop %d has %.3f of the area", i, area)
		}
		if aspect := float64(w) / float64(h); aspect < 0.72 || aspect > 1/0.72 {
			t.Errorf("crop %d has sides %d and %d", i, w, h)
		}
		direct := imaging.Resize(imaging.Crop(img, r[0], r[1], w, h), 32, 32)
		if slices.Equal(crop.Picture.Pix, direct.Pix) {
			continue
		}
		mirrored++
		for p := range 32 * 32 {
			x, y := p%32, p/32
			if !slices.Equal(crop.Picture.Pix[3*p:][:3], direct.Pix[3*(y*32+31-x):][:3]) {
				t.Fatalf("crop %d is neither the part at %v nor its mirror image", i, r)
			}
		}
	}
	if mirrored < 70 || mirrored > 130 {
		t.Errorf("%d of 200 crops are mirrored", mirrored)
	}
}

// The nodes depend on the picture and the seed only.
func TestSamplingDependsOnPictureAndSeed(t *testing.T) {
	pre := imaging.Preprocess{Size: 32, Std: plain}
	embedded := func(seed uint64, imgs ...*imaging.Image) []*embed.Set {
		sets := require.Value(embed.Embed(embed.Sampling{Patches: 5, Seed: seed}, &tiles{stride: 16}, pre, imgs...))(t)
		return sets
	}
	a, b := gradient(60, 1), gradient(60, 2)
	alone, among := embedded(1, a)[0], embedded(1, b, a, b)
	if !slices.Equal(alone.Data, among[1].Data) || !slices.Equal(alone.Regions, among[1].Regions) {
		t.Error("a picture has other nodes among others")
	}
	if slices.Equal(alone.Regions, among[0].Regions) {
		t.Error("another picture has the same crops")
	}
	if slices.Equal(alone.Regions, embedded(2, a)[0].Regions) {
		t.Error("another seed gives the same crops")
	}
	more := embed.Sampling{Patches: 9, Seed: 1}.Crops(pre, a)
	for i, r := range alone.Regions {
		if more[i].Region != r {
			t.Errorf("with more patches, crop %d is %v, not %v", i, more[i].Region, r)
		}
	}
}

// Pictures of extreme shapes are cropped like in torchvision: the largest central part with a valid
// aspect ratio.
func TestSamplingOfStrips(t *testing.T) {
	for _, test := range []struct {
		width, height int
		want          [4]int
	}{
		{1000, 3, [4]int{498, 0, 502, 3}},
		{3, 1000, [4]int{0, 498, 3, 502}},
		{1, 1, [4]int{0, 0, 1, 1}},
	} {
		img := &imaging.Image{Width: test.width, Height: test.height, Pix: make([]uint8, test.width*test.height*3)}
		for _, crop := range (embed.Sampling{Patches: 3}).Crops(whole(16), img) {
			if got := pixels(crop.Region, img); got != test.want {
				t.Errorf("%d×%d: crop %v, want %v", test.width, test.height, got, test.want)
			}
		}
	}
}

func TestAspects(t *testing.T) {
	for i := range 1001 {
		u := float64(i) / 1000
		if got, want := embed.AspectOf(u), math.Pow(4./3, 2*u-1); !(math.Abs(got-want) <= 4e-16) {
			t.Errorf("aspect at %v is %v, want %v", u, got, want)
		}
	}
}
