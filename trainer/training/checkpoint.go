package training

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/deepemd/deepemd/internal/cluster"
)

// checkpoint refers to all state that a run needs to continue as if it had not stopped: named
// slices of float32 and named integers. The trainer owns the slices; loading writes into them.
type checkpoint struct {
	slices  []slice
	numbers map[string]*int
}

type slice struct {
	name   string
	values []float32
}

func (s *checkpoint) Slice(name string, values []float32) {
	s.slices = append(s.slices, slice{name, values})
}

// ranksNumber is the name of the number of ranks that trained.
const ranksNumber = "ranks"

// checkpointFormat identifies the format: a line of JSON, the values of the slices as little-endian
// float32 in the order of that line, and the CRC-32 of all preceding bytes.
const checkpointFormat = "deepemd checkpoint 1"

type header struct {
	Format  string         `json:"format"`
	Numbers map[string]int `json:"numbers"`
	Slices  []sliceHeader  `json:"slices"`
}

type sliceHeader struct {
	Name string `json:"name"`
	Len  int    `json:"len"`
}

// Encode writes the checkpoint.
func (s *checkpoint) Encode(w io.Writer) error {
	h := header{Format: checkpointFormat, Numbers: map[string]int{}}
	for _, x := range s.slices {
		h.Slices = append(h.Slices, sliceHeader{x.name, len(x.values)})
	}
	for name, value := range s.numbers {
		h.Numbers[name] = *value
	}
	sum := crc32.NewIEEE()
	out := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16)
	if err := json.NewEncoder(out).Encode(h); err != nil {
		return err
	}
	for _, x := range s.slices {
		if err := binary.Write(out, binary.LittleEndian, x.values); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, sum.Sum32())
}

// ErrSettings is the error of a checkpoint that does not fit the settings or the images.
var ErrSettings = errors.New("the checkpoint was written with different settings or classes")

var errDamaged = errors.New("the checkpoint is damaged: remove it to start again")

// Decode reads a checkpoint into the slices and integers. It returns an error, and changes nothing,
// if the data are damaged or not a checkpoint, or if the checkpoint was written with different
// settings.
func (s *checkpoint) Decode(raw []byte) error {
	body := len(raw) - 4
	if body < 0 || crc32.ChecksumIEEE(raw[:body]) != binary.LittleEndian.Uint32(raw[body:]) {
		return errDamaged
	}
	line, values, found := bytes.Cut(raw[:body], []byte("\n"))
	var h header
	if err := json.Unmarshal(line, &h); !found || err != nil || h.Format != checkpointFormat {
		return errDamaged
	}
	held, err := h.slices(values)
	if err != nil {
		return err
	}
	for _, x := range s.slices {
		if n := len(held[x.name]) / 4; n != len(x.values) {
			return fmt.Errorf("%s has %d values, want %d: %w", x.name, n, len(x.values), ErrSettings)
		}
	}
	for name := range s.numbers {
		if _, ok := h.Numbers[name]; !ok {
			return fmt.Errorf("no number %s: %w", name, ErrSettings)
		}
	}
	for _, x := range s.slices {
		_, _ = binary.Decode(held[x.name], binary.LittleEndian, x.values) // the lengths agree
	}
	for name, value := range s.numbers {
		*value = h.Numbers[name]
	}
	return nil
}

// slices returns the bytes of each slice. It returns an error if bytes remain.
func (h *header) slices(values []byte) (map[string][]byte, error) {
	held := make(map[string][]byte, len(h.Slices))
	for _, x := range h.Slices {
		if _, twice := held[x.Name]; twice || x.Len < 0 || x.Len > len(values)/4 {
			return nil, errDamaged
		}
		held[x.Name], values = values[:4*x.Len], values[4*x.Len:]
	}
	if len(values) > 0 {
		return nil, errDamaged
	}
	return held, nil
}

func (t *Trainer) state() *checkpoint {
	averageSteps := new(int)
	if t.average != nil {
		averageSteps = &t.average.Steps
	}
	state := &checkpoint{numbers: map[string]*int{
		ranksNumber: &t.peers.Saved, "step": &t.step, "epochs": &t.done, "milliseconds": &t.milliseconds, "best": &t.best, "average_steps": averageSteps,
	}}
	// Rank 0 reads and writes the checkpoint for all ranks. It also has the gradients in bfloat16
	// that each rank has not yet sent.
	for rank, of := range t.peers.Unsent {
		for i, p := range t.Learner.Params() {
			state.Slice(fmt.Sprintf("%s.unsent.%d", p.Name, rank), of[i])
		}
	}
	for i, p := range t.Learner.Params() {
		state.Slice(p.Name, p.Value)
		if t.average != nil {
			state.Slice(p.Name+".average", t.average.Values[i])
		}
		state.Slice(p.Name+".velocity", t.optimizer.Velocity[i])
	}
	for _, bn := range t.Learner.Backbone().Norms() {
		state.Slice(bn.Name()+".running_mean", bn.Mean)
		state.Slice(bn.Name()+".running_var", bn.Variance)
	}
	return state
}

func (t *Trainer) load() error {
	path := filepath.Join(t.Dir, CheckpointFile)
	var raw []byte
	var err error
	if t.peers.IsFirst() {
		raw, err = os.ReadFile(path)
	}
	if raw, err = cluster.FromLeader(t.peers, raw, err); err != nil {
		return err
	}
	saved := 0 // decoded first, because the slices depend on it
	if err = (&checkpoint{numbers: map[string]*int{ranksNumber: &saved}}).Decode(raw); err == nil {
		err = t.peers.Resume(saved)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := t.state().Decode(raw); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if note := t.peers.Divide(); note != "" {
		t.note(note)
	}
	if err := t.checkPosition(); err != nil {
		return fmt.Errorf("%s: %w: %w", path, err, ErrSettings)
	}
	for _, p := range t.Learner.Params() {
		p.Changed()
	}
	return nil
}

// checkPosition returns an error for a position that no run with these settings reaches: the step must
// be in the first unfinished epoch, or at its end.
func (t *Trainer) checkPosition() error {
	first, next, last := 0, 0, 0
	for epoch, stage := range t.epochs() {
		if epoch <= t.done {
			first, next = next, next+t.Source.Steps(stage)
		}
		last = epoch + 1
	}
	if t.done == last {
		first = next
	}
	switch {
	case t.done < 0 || t.done > last:
		return fmt.Errorf("%d epochs are done, the settings have %d", t.done, last)
	case t.step < first || t.step > next:
		return fmt.Errorf("step %d of epoch %d, which has steps %d to %d", t.step, t.done+1, first, next)
	case t.milliseconds < 0 || t.best < 0 || t.average != nil && t.average.Steps < 0:
		return errors.New("negative numbers")
	}
	return nil
}

// HasRun reports whether the folder has the checkpoint or a network of a run, which another run would overwrite.
func HasRun(dir string) bool {
	return slices.ContainsFunc([]string{CheckpointFile, BestFile, LastFile}, func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	})
}
