package training

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

func state(values []float32, steps *int) *checkpoint {
	s := &checkpoint{numbers: map[string]*int{"step": steps}}
	s.Slice("w", values)
	s.Slice("empty", nil)
	return s
}

func encoded(t *testing.T, s *checkpoint) []byte {
	t.Helper()
	var raw bytes.Buffer
	require.NoError(t, s.Encode(&raw))
	return raw.Bytes()
}

func TestCheckpointRoundTrip(t *testing.T) {
	steps, want := 42, []float32{1, -0.1, float32(math.Inf(1)), 1e-45}
	raw := encoded(t, state(want, &steps))
	got, read := make([]float32, 4), 0
	require.NoError(t, state(got, &read).Decode(raw))
	if !slices.Equal(got, want) || read != 42 {
		t.Fatalf("read %v and step %d, want %v and 42", got, read, want)
	}
	if err := state(make([]float32, 5), &read).Decode(raw); err == nil || !strings.Contains(err.Error(), "w has 4 values, want 5") {
		t.Errorf("another length gives %v", err)
	}
	more := state(make([]float32, 4), &read)
	more.numbers["epochs"] = &read
	if err := more.Decode(raw); err == nil || !strings.Contains(err.Error(), "epochs") {
		t.Errorf("an absent number gives %v", err)
	}
}

// TestDamagedCheckpoints flips and cuts every byte.
func TestDamagedCheckpoints(t *testing.T) {
	steps := 7
	whole := encoded(t, state([]float32{1, 2, 3}, &steps))
	for i := range whole {
		flipped := bytes.Clone(whole)
		flipped[i] ^= 1
		for _, bad := range [][]byte{flipped, whole[:i]} {
			values := []float32{9, 9, 9}
			if err := state(values, &steps).Decode(bad); err == nil || values[0] != 9 {
				t.Fatalf("damage at byte %d is not noticed: %v, %v", i, err, values)
			}
		}
	}
}

// readRecords is readLog without the ends of lines.
func readRecords(path string) ([]Record, error) {
	records, _, err := readLog(path)
	return records, err
}

func TestLogContinues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.jsonl")
	write := func(from int, steps ...int) {
		l := require.Value(openLog(path, from, 0))(t)
		for _, step := range steps {
			require.NoError(t, l.Add(Record{Step: step, Loss: 1 / float64(step)}))
		}
		require.NoError(t, l.Close())
	}
	write(0, 20, 40, 60)
	file := require.Value(os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0))(t)
	file.WriteString(`{"step":80,"lo`)
	file.Close()
	write(40, 60, 80)
	records := require.Value(readRecords(path))(t)
	var steps []int
	for _, r := range records {
		steps = append(steps, r.Step)
	}
	if len(steps) != 4 || steps[1] != 40 || steps[2] != 60 || steps[3] != 80 {
		t.Errorf("the log holds steps %v, want 20 40 60 80", steps)
	}
	// An unreadable rest must not be truncated.
	if records, err := readRecords(filepath.Dir(path)); err == nil {
		t.Errorf("a folder is a log of %d records", len(records))
	}
	require.NoError(t, os.WriteFile(path, []byte("{}\nnot json\n"), 0o644))
	if _, err := readRecords(path); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a line that is no record gives %v", err)
	}
}

// A validation that is not followed by a checkpoint is measured again.
func TestLogDropsUnfinishedValidations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.jsonl")
	l := require.Value(openLog(path, -1, 0))(t)
	for _, r := range []Record{{Step: 5, Epoch: 1, Validation: 0.5}, {Step: 10, Epoch: 2, Loss: 1}, {Step: 10, Epoch: 2, Validation: 0.6}} {
		require.NoError(t, l.Add(r))
	}
	require.NoError(t, l.Close())
	for _, c := range []struct{ epochs, records int }{{2, 3}, {1, 2}} { // the second drops a line of the file
		l := require.Value(openLog(path, 10, c.epochs))(t)
		if got := len(l.records); got != c.records {
			t.Errorf("%d epochs are finished: %d records, want %d", c.epochs, got, c.records)
		}
		require.NoError(t, l.Close())
	}
}

func TestCurves(t *testing.T) {
	var records []Record
	for i := range 50 {
		records = append(records, Record{Step: i, Epoch: float64(i) / 10, Loss: 5 - float64(i)/20, Accuracy: float64(i) / 60, Rate: 0.1})
	}
	var drawn bytes.Buffer
	require.NoError(t, drawCurves(&drawn, "test", records))
	for _, want := range []string{">test</text>", ">loss</text>", ">accuracy, %</text>", ">learning rate</text>", "<polyline"} {
		if !strings.Contains(drawn.String(), want) {
			t.Errorf("no %s in\n%s", want, &drawn)
		}
	}
	if err := drawCurves(&drawn, "nothing yet", nil); err != nil {
		t.Errorf("a run without records: %v", err)
	}
}

// full is a disk that takes room bytes more, and then parts of lines.
type full struct {
	*os.File
	room int
}

func (f *full) WriteAt(p []byte, at int64) (int, error) {
	if len(p) <= f.room {
		f.room -= len(p)
		return f.File.WriteAt(p, at)
	}
	n, _ := f.File.WriteAt(p[:f.room], at)
	f.room = 0
	return n, syscall.ENOSPC
}

// TestLogOnAFullDisk loses no line: pending lines are written when there is space again.
func TestLogOnAFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.jsonl")
	l := require.Value(openLog(path, 0, 0))(t)
	disk := &full{File: l.file.(*os.File), room: 50}
	l.file = disk
	for step := range 5 {
		err := l.Add(Record{Step: step, Loss: 0.5})
		if full := step > 0; full != errors.Is(err, syscall.ENOSPC) {
			t.Errorf("step %d: %v", step, err)
		}
	}
	if records, err := readRecords(path); err != nil || len(records) != 1 {
		t.Errorf("meanwhile it holds %v, %v", records, err)
	}
	disk.room = 1 << 20
	if err := l.Add(Record{Step: 5}); err != nil {
		t.Error(err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	records, err := readRecords(path)
	if err != nil || len(records) != 6 || len(l.records) != 6 {
		t.Fatalf("it holds %v, %v", records, err)
	}
	for step, r := range records {
		if r.Step != step {
			t.Errorf("record %d is of step %d", step, r.Step)
		}
	}
}

// signed makes a checkpoint of any bytes: they have the right sum.
func signed(body string) []byte {
	return binary.LittleEndian.AppendUint32([]byte(body), crc32.ChecksumIEEE([]byte(body)))
}

// crafted are malformed checkpoints.
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

// FuzzLog opens logs of any text at any step: the records up to that step stay, and a new record
// follows them.
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
		var l *runLog
		var err error
		bombs.Budget(t, 1<<20, 1024, len(text), func() { l, err = openLog(path, step, step) })
		if err != nil {
			return
		}
		for i, r := range l.records {
			if r.Step > step {
				t.Errorf("record %d is of step %d, after %d", i+1, r.Step, step)
			}
		}
		require.NoError(t, l.Add(Record{Step: 1, Seconds: 2}))
		want := l.records
		require.NoError(t, l.Close())
		if got, err := readRecords(path); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("it is read again as %+v, want %+v (%v)", got, want, err)
		}
	})
}
