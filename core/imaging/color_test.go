package imaging

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// TestRules decodes pictures from bug reports: transparency, profiles, gamma, orientation,
// animations, checksums. A file next to each has the expected pixels.
func TestRules(t *testing.T) {
	folder := filepath.Dir(require.Shared(t, "cases/pictures/expected.json"))
	var rules map[string]struct {
		Rule      string
		Size      [2]int
		Tolerance int
		Pixels    [][3]json.RawMessage
	}
	require.NoError(t, json.Unmarshal(readFile(t, filepath.Join(folder, "expected.json")), &rules))
	for name, rule := range rules {
		if len(rule.Pixels) == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			m, err := Decode(readFile(t, filepath.Join(folder, name)))
			if err != nil {
				t.Fatal(rule.Rule, err)
			}
			if m.Width != rule.Size[0] || m.Height != rule.Size[1] {
				t.Fatalf("%s: %d×%d, want %v", rule.Rule, m.Width, m.Height, rule.Size)
			}
			for _, p := range rule.Pixels {
				var x, y int
				var want [3]int
				for i, to := range []any{&x, &y, &want} {
					require.NoError(t, json.Unmarshal(p[i], to))
				}
				for c, v := range m.row(y)[3*x:][:3] {
					if d := int(v) - want[c]; d > rule.Tolerance || -d > rule.Tolerance {
						t.Errorf("%s: %v at (%d, %d), want %v", rule.Rule, m.row(y)[3*x:][:3], x, y, want)
						break
					}
				}
			}
		})
	}
}

// TestUnconverted checks the reasons for ignoring profiles.
func TestUnconverted(t *testing.T) {
	for name, want := range map[string]error{
		"icc-lut.png": errTable, "icc-cmyk.jpg": errSpace, "icc-gray-linear.png": errSpace,
		"icc-broken.png": errBroken, "icc-p3.jpg": nil, "icc-p3.webp": nil, "plain-disc.png": nil, "notes.txt": nil,
	} {
		if err := Unconverted(readFile(t, require.Shared(t, "cases/pictures/"+name))); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

// TestGamma compares PNG files with gAMA and cHRM with Chromium's pixels.
func TestGamma(t *testing.T) {
	srgb := []uint32{31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000}
	adobe := []uint32{31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000}
	flat := []uint32{31270, 32900, 0, 0, 30000, 60000, 15000, 6000} // red has no light
	nowhere := []uint32{0, 0, 64000, 33000, 30000, 60000, 15000, 6000}
	collinear := []uint32{31270, 32900, 64000, 33000, 64000, 33000, 15000, 6000}
	warm := []uint32{34570, 35850, 64000, 33000, 21000, 71000, 15000, 6000} // white is D50
	plain := []uint8{0, 0, 255, 64, 32, 191, 128, 64, 127, 200, 100, 55}
	for _, c := range []struct {
		gamma     uint32
		primaries []uint32
		srgb      bool
		want      []uint8
	}{
		{0, nil, false, plain},
		{45455, nil, false, plain},
		{47619, nil, false, plain},
		{43478, nil, false, plain},
		{50000, nil, false, []uint8{0, 0, 255, 71, 34, 197, 137, 71, 136, 206, 109, 61}},
		{55556, nil, false, []uint8{0, 0, 255, 81, 43, 203, 146, 81, 145, 210, 119, 71}},
		{100000, nil, false, []uint8{0, 0, 255, 137, 99, 224, 188, 137, 187, 229, 168, 128}},
		{55556, nil, true, plain},
		{0, adobe, false, plain},
		{45455, srgb, false, []uint8{0, 0, 255, 62, 26, 192, 129, 62, 128, 201, 100, 52}},
		{45455, adobe, false, []uint8{0, 0, 255, 71, 26, 196, 146, 62, 130, 227, 100, 49}},
		{55556, adobe, false, []uint8{0, 0, 255, 92, 43, 206, 164, 81, 147, 235, 119, 68}},
		{45455, flat, false, plain},
		{45455, nowhere, false, plain},
		{45455, collinear, false, plain},
		{45455, warm, false, []uint8{0, 0, 255, 68, 22, 194, 148, 62, 129, 231, 101, 55}},
	} {
		m := require.Value(Decode(pngWith(t, plain, c.gamma, c.primaries, c.srgb)))(t)
		for i, v := range m.Pix {
			if d := int(v) - int(c.want[i]); d > 2 || d < -2 {
				t.Errorf("gamma %d, primaries %v: %v, want %v", c.gamma, c.primaries, m.Pix, c.want)
				break
			}
		}
	}
}

// pngWith returns a PNG file of one row with chunks about its colors.
func pngWith(t *testing.T, rgb []uint8, gamma uint32, primaries []uint32, srgb bool) []byte {
	t.Helper()
	row := image.NewNRGBA(image.Rect(0, 0, len(rgb)/3, 1))
	for i := range len(rgb) / 3 {
		row.Set(i, 0, color.NRGBA{rgb[3*i], rgb[3*i+1], rgb[3*i+2], 255})
	}
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, row))
	const header = 33
	with := bytes.Clone(file.Bytes()[:header])
	chunk := func(kind string, values ...uint32) {
		body := []byte(kind)
		for _, v := range values {
			body = binary.BigEndian.AppendUint32(body, v)
		}
		if kind == "sRGB" {
			body = append(body, 0)
		}
		with = binary.BigEndian.AppendUint32(with, uint32(len(body)-4))
		with = binary.BigEndian.AppendUint32(append(with, body...), crc32.ChecksumIEEE(body))
	}
	if gamma > 0 {
		chunk("gAMA", gamma)
	}
	if srgb {
		chunk("sRGB")
	}
	if primaries != nil {
		chunk("cHRM", primaries...)
	}
	return append(with, file.Bytes()[header:]...)
}
