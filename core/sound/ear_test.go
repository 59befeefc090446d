package sound

import (
	"errors"
	"os"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

func TestPicture(t *testing.T) {
	file := require.Value(os.ReadFile("testdata/mpeg1-44100-joint.mp3"))(t)
	m := require.Value(Picture(file))(t)
	if m.Width != Frames || m.Height != Bands || len(m.Pix) != 3*m.Width*m.Height {
		t.Fatalf("%d×%d pixels, %d values", m.Width, m.Height, len(m.Pix))
	}
	// The sound of a quarter second is in the middle of the picture.
	brightness := func(from, to int) (sum int) {
		for y := range m.Height {
			for x := from; x < to; x++ {
				sum += int(m.Pix[3*(y*m.Width+x)])
			}
		}
		return sum / (to - from)
	}
	if edge, middle := brightness(0, 20), brightness(32, 48); edge*10 > middle {
		t.Errorf("brightness %d at the edge, %d in the middle", edge, middle)
	}
	if _, err := Picture(file[:len(file)-900]); !errors.Is(err, ErrTruncated) {
		t.Errorf("%v, want a truncated file refused", err)
	}
}
