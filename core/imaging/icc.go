package imaging

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Errors of parseICC.
var (
	errSpace  = errors.New("its color space is not RGB")
	errTable  = errors.New("it describes colors by a table")
	errBroken = errors.New("it is damaged")
)

// parseICC returns the transform of a profile with curves and a matrix (ICC.1:2022, annex F.3).
func parseICC(profile []byte) (*transform, error) {
	const header, entry = 128, 12
	if len(profile) < header+4 || string(profile[36:40]) != "acsp" {
		return nil, errBroken
	}
	if space := string(profile[16:20]); space != "RGB " {
		return nil, fmt.Errorf("%w but %q", errSpace, space)
	}
	tag := func(name string) []byte {
		entries := profile[header+4:]
		for n := binary.BigEndian.Uint32(profile[header:]); n > 0 && len(entries) >= entry; n, entries = n-1, entries[entry:] {
			at, size := uint64(binary.BigEndian.Uint32(entries[4:])), uint64(binary.BigEndian.Uint32(entries[8:]))
			if string(entries[:4]) == name && at+size <= uint64(len(profile)) {
				return profile[at : at+size]
			}
		}
		return nil
	}
	var curves [3]func(float64) float64
	var xyz matrix
	for c, color := range []string{"r", "g", "b"} {
		primary, tone := tag(color+"XYZ"), tag(color+"TRC")
		if primary == nil && tone == nil && tag("A2B0") != nil {
			return nil, errTable
		}
		if len(primary) < 20 || string(primary[:4]) != "XYZ " {
			return nil, errBroken
		}
		for i := range 3 {
			xyz[i][c] = fixed(primary[8+4*i:])
		}
		if curves[c] = curve(tone); curves[c] == nil {
			return nil, errBroken
		}
	}
	return newTransform(curves, xyz), nil
}

// fixed reads a number with 16 integer and 16 fractional bits.
func fixed(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) / (1 << 16) }

// curve returns the function of a tone curve (sections 10.6 and 10.18), or nil.
func curve(tag []byte) func(float64) float64 {
	if len(tag) < 12 {
		return nil
	}
	switch string(tag[:4]) {
	case "curv":
		count, values := uint64(binary.BigEndian.Uint32(tag[8:])), tag[12:]
		switch {
		case count == 0:
			return func(v float64) float64 { return v }
		case 2*count > uint64(len(values)):
			return nil
		case count == 1:
			gamma := float64(binary.BigEndian.Uint16(values)) / (1 << 8)
			return func(v float64) float64 { return math.Pow(v, gamma) }
		}
		last := int(count) - 1
		at := func(i int) float64 { return float64(binary.BigEndian.Uint16(values[2*i:])) / math.MaxUint16 }
		return func(v float64) float64 {
			whole, part := math.Modf(v * float64(last))
			i := int(whole)
			return at(i)*(1-part) + at(min(i+1, last))*part
		}
	case "para":
		return parametric(binary.BigEndian.Uint16(tag[8:]), tag[12:])
	}
	return nil
}

// parametric returns a curve of table 68: (a·v+b)^g + e for v ≥ d, otherwise c·v+f.
func parametric(kind uint16, params []byte) func(float64) float64 {
	counts := []int{1, 3, 4, 5, 7}
	if int(kind) >= len(counts) || len(params) < 4*counts[kind] {
		return nil
	}
	var p [7]float64
	for i := range counts[kind] {
		p[i] = fixed(params[4*i:])
	}
	g, a, b, c, d, e, f := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	switch kind {
	case 0:
		a = 1
	case 1, 2:
		if a == 0 {
			return nil
		}
		e = c
		c, d, f = 0, -b/a, e
	}
	return func(v float64) float64 {
		if v < d {
			return c*v + f
		}
		return math.Pow(max(a*v+b, 0), g) + e
	}
}
