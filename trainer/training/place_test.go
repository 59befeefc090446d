package training

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// TestPlaceThatNoRunIsAt refuses checkpoints that are whole and say of the run what
// cannot be, as after another number of batches, or made by hand.
func TestPlaceThatNoRunIsAt(t *testing.T) {
	dir, source := t.TempDir(), stripes{classes: 3, steps: 2, spoil: -1}
	require.NoError(t, trainer(t, dir, source).Run(context.Background(), false))
	path := filepath.Join(dir, CheckpointFile)
	whole := require.Value(os.ReadFile(path))(t)
	for _, number := range []string{`"step":-5`, `"step":9000000000000000000`, `"step":5`, `"epochs":-1`, `"epochs":9000000000000000000`, `"milliseconds":-1`, `"best":-9`} {
		name, _, _ := strings.Cut(number, ":")
		changed := regexp.MustCompile(name+`:\d+`).ReplaceAll(bytes.Clone(whole[:len(whole)-4]), []byte(number))
		require.NoError(t, os.WriteFile(path, binary.LittleEndian.AppendUint32(changed, crc32.ChecksumIEEE(changed)), 0o644))
		if err := trainer(t, dir, source).Run(context.Background(), true); err == nil || !strings.Contains(err.Error(), "other settings") {
			t.Errorf("a checkpoint with %s gives %v", number, err)
		}
	}
	require.NoError(t, os.WriteFile(path, whole, 0o644))
	if err := trainer(t, dir, stripes{classes: 3, steps: 4, spoil: -1}).Run(context.Background(), true); err == nil || !strings.Contains(err.Error(), "other settings") {
		t.Errorf("a checkpoint of a run with half the batches gives %v", err)
	}
	if err := trainer(t, dir, source).Run(context.Background(), true); err != nil {
		t.Errorf("the whole one gives %v", err)
	}
}
