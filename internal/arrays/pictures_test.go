package arrays

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	dense "gorgonia.org/tensor"
)

var (
	mean = [3]float32{0.5, 0.25, 0}
	std  = [3]float32{0.5, 0.25, 1}
)

// made returns an array of test data.
func made(d *dense.Dense, err error) *dense.Dense {
	if err != nil {
		panic(err)
	}
	return d
}

// TestPictures reads the same two pictures in every form.
func TestPictures(t *testing.T) {
	const side = 2
	pixels := make([]uint8, 2*side*side*3)
	for i := range pixels {
		pixels[i] = uint8(51 * (i % 6))
	}
	values := make([]float32, len(pixels))
	for i, v := range pixels {
		values[i] = (float32(v)/255 - mean[i%3]) / std[i%3]
	}
	swap := func(d *dense.Dense, err error) *dense.Dense {
		if err == nil {
			err = d.T(0, 3, 1, 2)
		}
		if err == nil {
			err = d.Transpose()
		}
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for name, d := range map[string]*dense.Dense{
		"pixels":                 made(Pixels(slices.Clone(pixels), 2, side)),
		"values":                 made(over(slices.Clone(values), 2, side, side, 3)),
		"pixels, channels first": swap(Pixels(slices.Clone(pixels), 2, side)),
		"values, channels first": swap(over(slices.Clone(values), 2, side, side, 3)),
	} {
		p, err := NewPictures(d)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if p.N != 2 || p.Side != side || (p.Pixels == nil) == (p.Values == nil) {
			t.Errorf("%s: %+v", name, p)
		}
		if got := p.Input(0, 2, mean, std); !reflect.DeepEqual(got.Data, values) || !got.HasShape(2, side, side, 3) {
			t.Errorf("%s: input %v, want %v", name, got, values)
		}
		if got := p.Input(1, 2, mean, std); !reflect.DeepEqual(got.Data, values[12:]) {
			t.Errorf("%s: second picture %v, want %v", name, got, values[12:])
		}
	}
}

func TestPicturesRefuses(t *testing.T) {
	bad := make([]float32, 24)
	bad[13] = float32(math.NaN())
	for want, d := range map[string]*dense.Dense{
		"shape []":             dense.New(dense.FromScalar(float32(1))),
		"shape [2 3]":          made(over(make([]uint8, 6), 2, 3)),
		"shape [1 2 4 3]":      made(over(make([]uint8, 24), 1, 2, 4, 3)),
		"shape [2 2 2 4]":      made(over(make([]uint8, 32), 2, 2, 2, 4)),
		"want pixels of uint8": made(over(make([]float64, 12), 1, 2, 2, 3)),
		"picture 1 holds NaN":  made(over(bad, 2, 2, 2, 3)),
	} {
		if p, err := NewPictures(d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("read %v, error %v, want one that says %q", p, err, want)
		}
	}
	if _, err := Pixels(nil, 0, 4); err == nil {
		t.Error("no pixels: no error")
	}
}
