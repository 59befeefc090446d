package jpeg

import (
	"bytes"
	"errors"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

func TestTooManyScans(t *testing.T) {
	bomb := bombs.JPEG(8192, 14)
	var err error
	took := bombs.Allocated(func() { _, err = decode(bomb) })
	if !errors.Is(err, ErrScans) {
		t.Errorf("883 scans of %d bytes: %v, want %v", len(bomb), err, ErrScans)
	}
	if took > 1<<20 {
		t.Errorf("%d bytes were allocated for a file that is refused", took)
	}
}

// Small pictures may have any number of scans.
func TestManyScansOfLittle(t *testing.T) {
	pix, err := decode(bombs.JPEG(64, 14))
	if err != nil || !bytes.Equal(pix, bytes.Repeat([]byte{128}, 3*64*64)) {
		t.Errorf("64×64 pixels in 883 scans: %v, or not gray", err)
	}
}

// Memory must match the allocated memory.
func TestMemory(t *testing.T) {
	for _, name := range []string{"420.jpg", "444.jpg", "progressive-420.jpg", "progressive-444.jpg", "cmyk.jpg"} {
		d, err := Open(read(t, name))
		require.NoError(t, err)
		took := bombs.Allocated(func() { _, err = d.Decode() })
		if err != nil || took > d.Memory()+64<<10 {
			t.Errorf("%s: %d bytes were allocated, Memory says %d (%v)", name, took, d.Memory(), err)
		}
	}
	d, err := Open(bombs.JPEG(1024, 2))
	require.NoError(t, err)
	took := bombs.Allocated(func() { _, err = d.Decode() })
	if err != nil || took > d.Memory()*11/10 || took < d.Memory()*9/10 {
		t.Errorf("%d bytes were allocated, Memory says %d (%v)", took, d.Memory(), err)
	}
}

// BenchmarkScans measures the nanoseconds per unit of work.
func BenchmarkScans(b *testing.B) {
	data := bombs.JPEG(1024, 2)
	for b.Loop() {
		require.Value(decode(data))(b)
	}
	const units = 128 * 128 * 63 * 2 * (workVisit + 1)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/units, "ns/unit")
}
