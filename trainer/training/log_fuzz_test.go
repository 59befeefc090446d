package training

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

// FuzzLog goes on with logs of any text, from any step: what is kept of them is what
// there was up to that step, and a record that is added comes after it.
func FuzzLog(f *testing.F) {
	for _, text := range []string{
		"", "\n", "null\n", "{}\n{}\n", `{"step": 3, "epoch": 0.5, "seconds": 7}` + "\n" + `{"step": 9}` + "\n" + `{"step": 1`,
		`{"step": 9223372036854775807}` + "\n" + `{"step": -1, "loss": 1e308}` + "\n", `{"step": 1e400}` + "\n", "[]\n", "\x00\n",
	} {
		f.Add([]byte(text), 5)
	}
	path := filepath.Join(f.TempDir(), "log.jsonl")
	f.Fuzz(func(t *testing.T, text []byte, step int) {
		require.NoError(t, os.WriteFile(path, text, 0o600))
		var l *Log
		var err error
		bombs.Budget(t, 1<<20, 1024, len(text), func() { l, err = OpenLog(path, step) })
		if err != nil {
			return
		}
		for i, r := range l.Records() {
			if r.Step > step {
				t.Errorf("record %d is of step %d, after %d", i+1, r.Step, step)
			}
		}
		require.NoError(t, l.Add(Record{Step: 1, Seconds: 2}))
		want := l.Records()
		require.NoError(t, l.Close())
		if got, err := ReadLog(path); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("it is read again as %+v, want %+v (%v)", got, want, err)
		}
	})
}
