package imaging

import (
	"bytes"
	"compress/zlib"
	"io"
	"math"

	"github.com/deepemd/deepemd/core/imaging/internal/png"
)

// colors returns the transform to sRGB. It is nil if none is needed, or if the profile is
// unsupported; then there is an error, too.
func (p *encoded) colors() (*transform, error) {
	t := p.space
	if p.profile != nil {
		var err error
		if t, err = parseICC(p.profile); err != nil {
			return nil, err
		}
	}
	if t == nil || t.identity() {
		return nil, nil
	}
	return t, nil
}

// Unconverted returns the reason why Decode ignores the color profile of a file: its space is not
// RGB, it uses a table, or it is damaged. It returns nil if Decode applies the profile, if there is
// none, and for files that Decode does not read.
func Unconverted(data []byte) error {
	p, err := open(data)
	if err != nil {
		return nil
	}
	_, err = p.colors()
	return err
}

// maxProfile bounds an unpacked profile. Profiles of printers have about 3 MB.
const maxProfile = 4 << 20

// inflate unpacks the profile of a PNG file. A damaged one becomes empty, which is not a valid
// profile.
func inflate(deflated []byte) []byte {
	if from, err := zlib.NewReader(bytes.NewReader(deflated)); err == nil {
		if profile, err := io.ReadAll(io.LimitReader(from, maxProfile)); err == nil {
			return profile
		}
	}
	return []byte{}
}

// gammaOf returns the color space of a PNG file from its gamma and primaries, nil for sRGB. Like
// Chromium, it takes a gamma within 5% of 1/2.2 as sRGB unless there are primaries, and ignores
// primaries without a gamma.
func gammaOf(d *png.Decoder) *transform {
	const unit = 100_000
	gamma, primaries := unit/float64(d.Gamma), srgb
	switch {
	case d.Gamma == 0:
		return nil
	case d.Primaries != [8]uint32{}:
		for i := range primaries {
			primaries[i] = [2]float64{float64(d.Primaries[2*i]) / unit, float64(d.Primaries[2*i+1]) / unit}
		}
	case math.Abs(gamma/2.2-1) <= 0.05:
		return nil
	}
	return gammaSpace(gamma, primaries)
}
