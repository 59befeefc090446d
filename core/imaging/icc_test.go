package imaging

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"
)

// fixedPoint encodes numbers with 16 fractional bits.
func fixedPoint(values ...float64) (b []byte) {
	for _, v := range values {
		b = binary.BigEndian.AppendUint32(b, uint32(int32(v*(1<<16)+0.5)))
	}
	return b
}

// profile returns an RGB profile with the primaries of sRGB and one tone curve.
func profile(tone []byte) []byte {
	p := make([]byte, 128)
	copy(p[16:], "RGB XYZ ")
	copy(p[36:], "acsp")
	primaries := [][]float64{{0.4360747, 0.2225045, 0.0139322}, {0.3850649, 0.7168786, 0.0971045}, {0.1430804, 0.0606169, 0.7141733}}
	p = binary.BigEndian.AppendUint32(p, 6)
	at, body := 132+6*12, []byte{}
	entry := func(name string, content []byte) {
		p = append(p, name...)
		p = binary.BigEndian.AppendUint32(p, uint32(at+len(body)))
		p = binary.BigEndian.AppendUint32(p, uint32(len(content)))
		body = append(body, content...)
	}
	for i, color := range []string{"r", "g", "b"} {
		entry(color+"XYZ", append([]byte("XYZ \x00\x00\x00\x00"), fixedPoint(primaries[i]...)...))
		entry(color+"TRC", tone)
	}
	return append(p, body...)
}

func parametricTone(kind byte, params ...float64) []byte {
	return append([]byte{'p', 'a', 'r', 'a', 0, 0, 0, 0, 0, kind, 0, 0}, fixedPoint(params...)...)
}

func tableTone(values ...uint16) []byte {
	b := binary.BigEndian.AppendUint32([]byte("curv\x00\x00\x00\x00"), uint32(len(values)))
	for _, v := range values {
		b = binary.BigEndian.AppendUint16(b, v)
	}
	return b
}

// TestCurves converts gray 128 from spaces with the primaries of sRGB and various tone curves.
func TestCurves(t *testing.T) {
	for name, c := range map[string]struct {
		tone []byte
		want uint8
	}{
		"linear":              {tableTone(), 188},
		"gamma 1.8":           {tableTone(461), 146},
		"a table":             {tableTone(0, 1<<14, 1<<15, 3<<14, 1<<16-1), 188},
		"parametric, gamma":   {parametricTone(0, 1.8), 146},
		"parametric, CIE 122": {parametricTone(1, 1, 2, -1), 13},         // 2x − 1, 0 below a half
		"parametric, offset":  {parametricTone(2, 1, 0.5, 0, 0.25), 188}, // x/2 + 1/4
		"parametric, sRGB":    {parametricTone(3, 2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045), 128},
		"parametric, full":    {parametricTone(4, 2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045, 0, 0), 128},
	} {
		space, err := parseICC(profile(c.tone))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := []uint8{128, 128, 128}
		space.apply(got)
		for _, v := range got {
			if d := int(v) - int(c.want); d > 1 || d < -1 {
				t.Errorf("%s: %v, want %d", name, got, c.want)
				break
			}
		}
		if space.identity() != (c.want == 128) {
			t.Errorf("%s: identity %v", name, space.identity())
		}
	}
}

func TestRefused(t *testing.T) {
	good := profile(tableTone(512))
	gray, short, tableOnly := slices.Clone(good), profile(tableTone(1, 2, 3)), slices.Clone(good)
	copy(gray[16:], "GRAY")
	for i := range 6 {
		copy(tableOnly[132+12*i:], "A2B0")
	}
	for name, c := range map[string]struct {
		profile []byte
		want    error
	}{
		"empty": {nil, errBroken}, "unsigned": {changed(good, 36, 0), errBroken}, "cut": {good[:150], errBroken}, "gray": {gray, errSpace}, "only tables": {tableOnly, errTable},
		"a table cut": {short[:len(short)-1], errBroken}, "a curve of no kind": {profile(parametricTone(5, 1)), errBroken},
		"a curve without parameters": {profile(parametricTone(3, 1)), errBroken},
	} {
		if _, err := parseICC(c.profile); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func FuzzICC(f *testing.F) {
	f.Add(profile(tableTone(512)))
	f.Add(profile(parametricTone(4, 2.4, 1, 0, 0, 0, 0, 0)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if space, err := parseICC(data); err == nil {
			space.apply(make([]uint8, 3*256))
		}
	})
}
