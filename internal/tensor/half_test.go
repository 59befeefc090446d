package tensor

import (
	"math"
	"testing"
)

// value computes the value of a half float from the standard, in float64.
func value(h uint16) float64 {
	exponent, fraction := int(h>>10&0x1f), float64(h&0x3ff)
	var v float64
	switch exponent {
	case 0:
		v = math.Ldexp(fraction, -24)
	case 31:
		v = math.Inf(1)
		if fraction != 0 {
			v = math.NaN()
		}
	default:
		v = math.Ldexp(1+fraction/1024, exponent-15)
	}
	if h>>15 == 1 {
		return math.Copysign(v, -1)
	}
	return v
}

func TestFromHalfEveryValue(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		got, want := float64(FromHalf(h)), value(h)
		if math.IsNaN(want) {
			if !math.IsNaN(got) {
				t.Errorf("FromHalf(%#04x) = %v, want NaN", h, got)
			}
			continue
		}
		if math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("FromHalf(%#04x) = %v, want %v", h, got, want)
		}
	}
}

func TestToHalfReturnsEveryValue(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		want := h
		if exponent, fraction := h>>10&0x1f, h&0x3ff; exponent == 31 && fraction != 0 {
			want |= 0x200 // signalling NaNs become quiet
		}
		if got := ToHalf(FromHalf(h)); got != want {
			t.Errorf("ToHalf(FromHalf(%#04x)) = %#04x, want %#04x", h, got, want)
		}
	}
}

// The midpoint of two neighbors rounds to the even one, and the adjacent float32 values round to
// the nearer one.
func TestToHalfRoundsToNearestEven(t *testing.T) {
	for i := range 0x7c00 {
		low, high := uint16(i), uint16(i+1)
		upper := value(high)
		if high == 0x7c00 {
			upper = 65536
		}
		mid := float32((value(low) + upper) / 2)
		even := low
		if low&1 == 1 {
			even = high
		}
		for _, c := range []struct {
			f    float32
			want uint16
		}{
			{math.Nextafter32(mid, 0), low},
			{mid, even},
			{math.Nextafter32(mid, 1e9), high},
		} {
			if got := ToHalf(c.f); got != c.want {
				t.Errorf("ToHalf(%v) = %#04x, want %#04x", c.f, got, c.want)
			}
			if got := ToHalf(-c.f); got != c.want|0x8000 {
				t.Errorf("ToHalf(%v) = %#04x, want %#04x", -c.f, got, c.want|0x8000)
			}
		}
	}
}

func TestToHalfExtremes(t *testing.T) {
	for _, c := range []struct {
		name string
		f    float32
		want uint16
	}{
		{"largest half", 65504, 0x7bff},
		{"rounds to infinity", 65520, 0x7c00},
		{"largest float32", math.MaxFloat32, 0x7c00},
		{"infinity", float32(math.Inf(1)), 0x7c00},
		{"minus infinity", float32(math.Inf(-1)), 0xfc00},
		{"smallest subnormal", 0x1p-24, 1},
		{"half of it, ties to zero", 0x1p-25, 0},
		{"just more than half of it", 0x1.000002p-25, 1},
		{"smallest float32", math.SmallestNonzeroFloat32, 0},
		{"minus zero", float32(math.Copysign(0, -1)), 0x8000},
		{"NaN", float32(math.NaN()), 0x7e00},
	} {
		if got := ToHalf(c.f); got != c.want {
			t.Errorf("%s: ToHalf(%v) = %#04x, want %#04x", c.name, c.f, got, c.want)
		}
	}
}

func TestFromBrain(t *testing.T) {
	for bits, want := range map[uint16]float32{0x3f80: 1, 0xc020: -2.5, 0: 0, 0x0001: 0x1p-133} {
		if got := FromBrain(bits); got != want {
			t.Errorf("FromBrain(%#04x) = %v, want %v", bits, got, want)
		}
	}
}
