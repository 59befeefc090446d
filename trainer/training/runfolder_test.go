package training

import (
	"bytes"
	"errors"
	"image/png"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

func state(values []float32, steps *int) *State {
	s := NewState()
	s.Slice("w", values)
	s.Slice("empty", nil)
	s.Number("step", steps)
	return s
}

func TestCheckpointRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.bin")
	steps, want := 42, []float32{1, -0.1, float32(math.Inf(1)), 1e-45}
	require.NoError(t, state(want, &steps).Save(path))
	got, read := make([]float32, 4), 0
	require.NoError(t, state(got, &read).Load(path))
	for i, w := range want {
		if got[i] != w || read != 42 {
			t.Fatalf("read %v and step %d, want %v and 42", got, read, want)
		}
	}

	other := state(make([]float32, 5), &read)
	if err := other.Load(path); err == nil || !strings.Contains(err.Error(), "w has 4 values, want 5") {
		t.Errorf("another length gives %v", err)
	}
	more := state(make([]float32, 4), &read)
	more.Number("epochs", &read)
	if err := more.Load(path); err == nil || !strings.Contains(err.Error(), "epochs") {
		t.Errorf("an absent number gives %v", err)
	}
	if err := state(got, &read).Load(path + "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an absent file gives %v", err)
	}
}

// TestDamagedCheckpoints flips and cuts every byte of a file.
func TestDamagedCheckpoints(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.bin")
	steps := 7
	require.NoError(t, state([]float32{1, 2, 3}, &steps).Save(path))
	whole := require.Value(os.ReadFile(path))(t)
	for i := range whole {
		flipped := append([]byte(nil), whole...)
		flipped[i] ^= 1
		for _, bad := range [][]byte{flipped, whole[:i]} {
			require.NoError(t, os.WriteFile(path, bad, 0o644))
			values := []float32{9, 9, 9}
			if err := state(values, &steps).Load(path); err == nil || values[0] != 9 {
				t.Fatalf("damage at byte %d is not noticed: %v, %v", i, err, values)
			}
		}
	}
}

func TestLogContinues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.jsonl")
	write := func(from int, steps ...int) {
		l := require.Value(OpenLog(path, from))(t)
		for _, step := range steps {
			require.NoError(t, l.Add(Record{Step: step, Loss: 1 / float64(step)}))
		}
		require.NoError(t, l.Close())
	}
	write(0, 20, 40, 60)
	file := require.Value(os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0))(t)
	file.WriteString(`{"step":80,"lo`) // the power went
	file.Close()
	write(40, 60, 80)
	records := require.Value(ReadLog(path))(t)
	var steps []int
	for _, r := range records {
		steps = append(steps, r.Step)
	}
	if len(steps) != 4 || steps[1] != 40 || steps[2] != 60 || steps[3] != 80 {
		t.Errorf("the log holds steps %v, want 20 40 60 80", steps)
	}
	// What cannot be read is not taken for the end: the rest would be cut off.
	if records, err := ReadLog(filepath.Dir(path)); err == nil {
		t.Errorf("a folder is a log of %d records", len(records))
	}
	require.NoError(t, os.WriteFile(path, []byte("{}\nnot json\n"), 0o644))
	if _, err := ReadLog(path); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a line that is no record gives %v", err)
	}
}

func TestCurves(t *testing.T) {
	var records []Record
	for i := range 50 {
		records = append(records, Record{Step: i, Epoch: float64(i) / 10, Loss: 5 - float64(i)/20, Accuracy: float64(i) / 60, Rate: 0.1})
	}
	var drawn bytes.Buffer
	require.NoError(t, Curves(&drawn, "test", records))
	img := require.Value(png.Decode(&drawn))(t)
	if b := img.Bounds(); b.Dx() < 600 || b.Dy() < 700 {
		t.Errorf("the picture has %v", b)
	}
	if err := Curves(&drawn, "nothing yet", nil); err != nil {
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

// TestLogOnAFullDisk loses no line: what did not fit comes when there is room.
func TestLogOnAFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.jsonl")
	l, err := OpenLog(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	disk := &full{File: l.file.(*os.File), room: 50}
	l.file = disk
	for step := range 5 {
		err := l.Add(Record{Step: step, Loss: 0.5})
		if full := step > 0; full != errors.Is(err, syscall.ENOSPC) {
			t.Errorf("step %d: %v", step, err)
		}
	}
	if records, err := ReadLog(path); err != nil || len(records) != 1 {
		t.Errorf("meanwhile it holds %v, %v", records, err)
	}
	disk.room = 1 << 20
	if err := l.Add(Record{Step: 5}); err != nil {
		t.Error(err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	records, err := ReadLog(path)
	if err != nil || len(records) != 6 || len(l.Records()) != 6 {
		t.Fatalf("it holds %v, %v", records, err)
	}
	for step, r := range records {
		if r.Step != step {
			t.Errorf("record %d is of step %d", step, r.Step)
		}
	}
}
