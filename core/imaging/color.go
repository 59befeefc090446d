package imaging

import (
	"bytes"
	"compress/zlib"
	"io"
	"math"

	"github.com/deepemd/deepemd/core/imaging/internal/colorspace"
	"github.com/deepemd/deepemd/core/imaging/internal/png"
)

// colors returns what makes sRGB of a file's colors, nil where nothing has to or the file's
// profile cannot be used, which the error then says.
func (p *encoded) colors() (*colorspace.Transform, error) {
	t := p.space
	if p.profile != nil {
		var err error
		if t, err = colorspace.ICC(p.profile); err != nil {
			return nil, err
		}
	}
	if t == nil || t.Identity() {
		return nil, nil
	}
	return t, nil
}

// Unconverted says why the color profile of a file that Decode reads does not count: its
// space is not RGB, it describes colors by a table, or it is damaged. It returns nil where
// the profile counts, where there is none, and for what Decode does not read.
func Unconverted(data []byte) error {
	p, err := open(data)
	if err != nil {
		return nil
	}
	_, err = p.colors()
	return err
}

// maxProfile bounds a profile that is unpacked: those of printers have some 3 MB.
const maxProfile = 4 << 20

// inflate unpacks the profile of a PNG file; what cannot be unpacked is left empty, which is
// no profile.
func inflate(deflated []byte) []byte {
	from, err := zlib.NewReader(bytes.NewReader(deflated))
	if err != nil {
		return []byte{}
	}
	profile, err := io.ReadAll(io.LimitReader(from, maxProfile))
	if err != nil {
		return []byte{}
	}
	return profile
}

// gammaOf returns the color space of a PNG file by its gamma and its primaries, nil for
// sRGB: as Chromium does, a gamma within 5% of 1/2.2 means sRGB unless primaries stand
// beside it, and primaries alone mean nothing.
func gammaOf(d *png.Decoder) *colorspace.Transform {
	const unit = 100_000
	gamma, primaries := unit/float64(d.Gamma), colorspace.SRGB
	switch {
	case d.Gamma == 0:
		return nil
	case d.Primaries != [8]uint32{}:
		for i, to := range []*[2]float64{&primaries.White, &primaries.Red, &primaries.Green, &primaries.Blue} {
			*to = [2]float64{float64(d.Primaries[2*i]) / unit, float64(d.Primaries[2*i+1]) / unit}
		}
	case math.Abs(gamma/2.2-1) <= 0.05:
		return nil
	}
	return colorspace.Gamma(gamma, primaries)
}
