package training

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

// signed makes a checkpoint of any bytes: they have the right sum.
func signed(body string) []byte {
	return binary.LittleEndian.AppendUint32([]byte(body), crc32.ChecksumIEEE([]byte(body)))
}

// crafted are checkpoints that somebody made to be wrong.
var crafted = map[string]string{
	"nothing":                "",
	"no end of line":         `{"format":"deepemd checkpoint 1","numbers":{"step":1},"slices":[]}`,
	"no JSON":                "format\n",
	"another format":         `{"format":"deepemd checkpoint 9","numbers":{"step":1},"slices":[]}` + "\n",
	"longer than the file":   `{"format":"deepemd checkpoint 1","numbers":{"step":1},"slices":[{"name":"w","len":3},{"name":"empty","len":0}]}` + "\n12345678",
	"a length that wraps":    `{"format":"deepemd checkpoint 1","numbers":{"step":1},"slices":[{"name":"w","len":4611686018427387904}]}` + "\n",
	"a negative length":      `{"format":"deepemd checkpoint 1","numbers":{"step":1},"slices":[{"name":"w","len":-1}]}` + "\n1234",
	"lengths that cancel":    `{"format":"deepemd checkpoint 1","numbers":{"step":1},"slices":[{"name":"w","len":4},{"name":"x","len":-3}]}` + "\n1234",
	"a name twice":           `{"format":"deepemd checkpoint 1","numbers":{"step":1},"slices":[{"name":"w","len":1},{"name":"w","len":1},{"name":"empty","len":0}]}` + "\n12345678",
	"values of no slice":     `{"format":"deepemd checkpoint 1","numbers":{"step":1},"slices":[{"name":"w","len":1},{"name":"empty","len":0}]}` + "\n12345678",
	"half a value":           `{"format":"deepemd checkpoint 1","numbers":{"step":1},"slices":[{"name":"w","len":1},{"name":"empty","len":0}]}` + "\n123456",
	"a number out of range":  `{"format":"deepemd checkpoint 1","numbers":{"step":9e99},"slices":[]}` + "\n",
	"no line after the line": "\n",
}

func TestCraftedCheckpoints(t *testing.T) {
	for name, body := range crafted {
		values, steps := []float32{9}, 7
		err := state(values, &steps).Decode(signed(body))
		if err == nil || !strings.Contains(err.Error(), "damaged") || values[0] != 9 || steps != 7 {
			t.Errorf("%s: error %v, values %v, step %d", name, err, values, steps)
		}
	}
}

// FuzzDecode decodes checkpoints of any content whose sum is right, and others.
func FuzzDecode(f *testing.F) {
	steps := 7
	var whole bytes.Buffer
	require.NoError(f, state([]float32{1, 2, 3}, &steps).Encode(&whole))
	f.Add(whole.Bytes(), false)
	f.Add(whole.Bytes()[:whole.Len()-4], true)
	for _, body := range crafted {
		f.Add([]byte(body), true)
	}
	f.Fuzz(func(t *testing.T, raw []byte, sign bool) {
		if sign {
			raw = signed(string(raw))
		}
		values, steps := []float32{9, 9, 9}, 5
		s := state(values, &steps)
		var err error
		bombs.Budget(t, 1<<20, 64, len(raw), func() { err = s.Decode(raw) })
		if err != nil {
			if !slices.Equal(values, []float32{9, 9, 9}) || steps != 5 {
				t.Errorf("with error %v it changed the state: %v, step %d", err, values, steps)
			}
			return
		}
		var out bytes.Buffer
		require.NoError(t, s.Encode(&out))
		again := steps
		if err := s.Decode(out.Bytes()); err != nil || steps != again {
			t.Errorf("what it read, written again: %v, step %d, was %d", err, steps, again)
		}
	})
}
