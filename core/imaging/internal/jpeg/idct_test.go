package jpeg

import (
	"math"
	"math/rand/v2"
	"testing"
)

// exactDCT is the inverse transform by its definition (section A.3.3), rounded.
func exactDCT(b *[64]int32) (out [64]uint8) {
	for y := range 8 {
		for x := range 8 {
			sum := 0.0
			for v := range 8 {
				for u := range 8 {
					c := 0.25
					if u == 0 {
						c *= math.Sqrt2 / 2
					}
					if v == 0 {
						c *= math.Sqrt2 / 2
					}
					sum += c * float64(b[8*v+u]) *
						math.Cos(float64((2*x+1)*u)*math.Pi/16) * math.Cos(float64((2*y+1)*v)*math.Pi/16)
				}
			}
			out[8*y+x] = uint8(min(max(math.Floor(sum+128.5), 0), 255))
		}
	}
	return out
}

func TestInverseDCTIsClose(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	differ := 0
	for range 500 {
		var b [64]int32
		for n := 1 + r.IntN(20); n > 0; n-- {
			b[r.IntN(64)] = int32(r.IntN(401) - 200)
		}
		want := exactDCT(&b)
		var got [64]uint8
		inverseDCT(got[:], 8, &b)
		for i := range got {
			switch d := int(got[i]) - int(want[i]); d {
			case 0:
			case 1, -1:
				differ++
			default:
				t.Fatalf("sample %d is %d, want %d", i, got[i], want[i])
			}
		}
	}
	if differ > 500*64/50 {
		t.Errorf("%d of %d samples are rounded the other way", differ, 500*64)
	}
}

func TestFillBlockEqualsInverseDCT(t *testing.T) {
	for dc := int32(-2100); dc <= 2100; dc++ {
		var want, got [64]uint8
		inverseDCT(want[:], 8, &[64]int32{dc})
		fillBlock(got[:], 8, dc)
		if got != want {
			t.Fatalf("dc %d: %d, want %d", dc, got[0], want[0])
		}
	}
}
