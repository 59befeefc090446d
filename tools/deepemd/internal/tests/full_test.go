package tests

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// A full disk ends a command with an error that names the cause and the remedy. Earlier files stay
// intact, no partial file remains, and with room the same command completes with the same result.
//
//	DEEPEMD_FAULTS=50 go test -count 1 -v -run TestDiskFull ./tools/deepemd/internal/tests
func TestDiskFull(t *testing.T) {
	d := smallDisk(t)
	for _, w := range append(append(all(t), exports(t)...), exportsVectors(t)) {
		t.Run(w.name, func(t *testing.T) {
			whole := filepath.Join(t.TempDir(), "whole")
			mkdir(t, whole)
			works(t, w.start(whole)...)
			want, most := w.outcome(t, whole), size(t, whole)
			r := rand.New(rand.NewPCG(19, 5))
			tries, failed := times(t, w.usual), 0
			for n := range tries {
				dir := filepath.Join(d.dir, "work")
				mkdir(t, dir)
				d.fill(t, int64(r.Float64()*float64(most)*float64(n)/float64(tries)))
				if w.fails(t, dir) {
					failed++
				}
				for name := range files(t, dir) {
					if strings.HasSuffix(name, ".tmp") || strings.HasSuffix(name, ".lock") {
						t.Errorf("on a full disk %s is left", name)
					}
				}
				d.fill(t, -1)
				works(t, w.next(dir)...)
				same(t, "with room", w.outcome(t, dir), want)
				w.onlyResults(t, "with room", dir)

				// A second run without room does not destroy the existing result.
				if w.again != nil {
					d.fill(t, 0)
					before := files(t, dir)
					w.start = w.again
					if !w.fails(t, dir) {
						t.Error("it works without room")
					}
					for name, content := range files(t, dir) {
						if !bytes.Equal(content, before[name]) {
							t.Errorf("without room %s became another", name)
						}
					}
					d.fill(t, -1)
				}
				for _, path := range []string{dir, dir + ".cache"} {
					require.NoError(t, os.RemoveAll(path))
				}
			}
			t.Logf("%d times too little room, of the %d bytes that it takes; %d runs ended with an error, all came to their end with room", tries, most, failed)
		})
	}
}

// An index that fills the disk keeps its images, which a search finds. The same command adds the
// others once there is room.
func TestIndexGrowsOnFullDisk(t *testing.T) {
	d := smallDisk(t)
	data, _ := things(t, 3, 400)
	few, more := filepath.Join(data, "class00"), filepath.Join(t.TempDir(), "more")
	mkdir(t, more)
	for _, class := range []string{"class01", "class02"} {
		require.NoError(t, os.Rename(filepath.Join(data, class), filepath.Join(more, class)))
	}
	net, path := cmdtest.Weights(t, nil), filepath.Join(d.dir, "pictures.index")
	index := []string{"index", data, "--out", path, "--weights", net}
	works(t, index...)
	before := require.Value(os.ReadFile(path))(t)
	for _, class := range []string{"class01", "class02"} {
		require.NoError(t, os.Rename(filepath.Join(more, class), filepath.Join(data, class)))
	}
	for _, room := range []int64{4096, 12288} {
		d.fill(t, room)
		said, err := says(t, index...)
		if err == nil || !strings.Contains(said, "disk is full: make room and repeat the command, the index keeps its 400 pictures") {
			t.Errorf("with %d bytes of room: error %v, it says %s", room, err, said)
		}
		found, err := says(t, "search", path, filepath.Join(few, "7.png"), "--weights", net, "--top", "1")
		if err != nil || !strings.Contains(found, "class00/7.png") || !strings.Contains(found, "400 pictures of") {
			t.Errorf("with %d bytes of room a search fails: %v\n%s", room, err, found)
		}
		after, err := os.ReadFile(path)
		if err != nil || len(after) != len(before) || !bytes.Equal(after[64:], before[64:]) { // its beginning says that more is to come
			t.Errorf("with %d bytes of room the index has %d bytes of %d, error %v", room, len(after), len(before), err)
		}
	}
	d.fill(t, -1)
	works(t, index...)
	found, err := says(t, "search", path, filepath.Join(data, "class02", "9.png"), "--weights", net, "--top", "1")
	if err != nil || !strings.Contains(found, "class02/9.png") || !strings.Contains(found, "1200 pictures of") {
		t.Errorf("with room: %v\n%s", err, found)
	}
}

// A run without room for its settings names the remedy once.
func TestNoRoomForSettings(t *testing.T) {
	d := smallDisk(t)
	data, _ := things(t, 6, 8)
	d.fill(t, 4096) // its lock
	said, err := says(t, "train", "pretrain", "--data", data, "--out", filepath.Join(d.dir, "run"), "--set", "widths=[4,4,4,4]", "--set", "stages=[{epochs=1,size=16,batch=4}]")
	if err == nil || !strings.Contains(said, "settings.toml cannot be written") || strings.Count(said, "make room") != 1 {
		t.Errorf("error %v, it says %s", err, said)
	}
}

// says runs the command and returns its output.
func says(t *testing.T, args ...string) (string, error) {
	t.Helper()
	c := deepemd(t, args...)
	err := c.Run()
	return c.said.String(), err
}

// fails runs the work with too little room, and reports whether it failed. The error must name the
// cause and the remedy.
func (w work) fails(t *testing.T, dir string) bool {
	t.Helper()
	c := deepemd(t, w.next(dir)...)
	said := &heard{}
	c.Stdout, c.Stderr = said, said
	require.NoError(t, c.Start())
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	var err error
	select {
	case err = <-ended:
	case <-said.waits(): // it waits for room, and is interrupted
		_ = c.Process.Signal(syscall.SIGTERM)
		err = <-ended
	}
	if err == nil {
		return false
	}
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	last := lines[len(lines)-1]
	for _, part := range []string{"deepemd: ", "disk is full: make ", dir} {
		if !strings.Contains(last, part) {
			t.Errorf("without room it says %q, want that to mention %q", last, part)
		}
	}
	return true
}

// heard is the output of a process; it signals when the process waits for room.
type heard struct {
	mu     sync.Mutex
	said   bytes.Buffer
	closed bool
	ready  chan struct{}
}

func (h *heard) waits() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ready == nil {
		h.ready = make(chan struct{})
	}
	return h.ready
}

func (h *heard) Write(p []byte) (int, error) {
	_ = h.waits() // which makes the channel
	h.mu.Lock()
	defer h.mu.Unlock()
	h.said.Write(p)
	if !h.closed && strings.Contains(h.said.String(), "tries again in") {
		h.closed = true
		close(h.ready)
	}
	return len(p), nil
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.said.String()
}

// exports returns the forms that weights are written in.
func exports(t *testing.T) []work {
	t.Helper()
	net := cmdtest.Weights(t, nil)
	var forms []work
	for _, name := range []string{"w.onnx", "w.npz", "w.safetensors", "arrays"} {
		line := func(dir string) []string { return []string{"export", net, filepath.Join(dir, name)} }
		w := work{name: "export " + name, usual: 2, start: line, outcome: files, results: []string{name}}
		if name == "arrays" {
			w.results = []string{"arrays/"}
			w.outcome = func(t *testing.T, dir string) map[string][]byte { return files(t, filepath.Join(dir, "arrays")) }
		} else {
			w.again = line
		}
		forms = append(forms, w)
	}
	return forms
}

// exportsVectors exports an index for vector databases.
func exportsVectors(t *testing.T) work {
	t.Helper()
	data, _ := things(t, 6, 40)
	net, path := cmdtest.Weights(t, nil), filepath.Join(t.TempDir(), "pictures.index")
	works(t, "index", data, "--out", path, "--weights", net)
	line := func(dir string) []string { return []string{"index", path, "--export", filepath.Join(dir, "vectors")} }
	return work{
		name: "export of vectors", usual: 2, start: line, results: []string{"vectors/"},
		outcome: func(t *testing.T, dir string) map[string][]byte { return files(t, filepath.Join(dir, "vectors")) },
	}
}

// size returns the number of bytes of the files below a folder.
func size(t *testing.T, dir string) (bytes int64) {
	t.Helper()
	require.NoError(t, filepath.Walk(dir, func(_ string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() {
			bytes += (info.Size() + 4095) / 4096 * 4096
		}
		return err
	}))
	return bytes
}
