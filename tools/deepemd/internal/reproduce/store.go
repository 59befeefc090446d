package reproduce

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// Outcome is the result of a setting.
type Outcome struct {
	ID      string  `json:"id"` // of the setting, the network and the images
	Setting Setting `json:"setting"`
	Origin
	// Weighting is the weighting of the setting with an absolute bandwidth, and Clusters the mean
	// number of nodes that it makes of an image; 0 if it merges none.
	Weighting string  `json:"weighting"`
	Clusters  float64 `json:"clusters,omitempty"`
	Right     []int   `json:"right"` // correctly classified queries of each episode
	QueryMS   float64 `json:"millisecondsPerQuery"`
	LearnMS   float64 `json:"millisecondsToLearn"` // per episode
	// Alone is set if the times were measured separately, on one thread.
	Alone bool `json:"timedAlone,omitempty"`
}

// Origin states how a result was made.
type Origin struct {
	Network string `json:"networkName"`
	SHA256  string `json:"sha256"` // of the weights
	Data    string `json:"dataName"`
	Split   string `json:"split,omitempty"`
	Part    string `json:"part,omitempty"`
	Date    string `json:"date"`             // 2006-01-02
	Commit  string `json:"commit,omitempty"` // of the program
}

// classes describes the data: "the test classes of images.zip (split.json)".
func (o *Origin) classes() string {
	text := o.Data
	if o.Part != "" {
		text = fmt.Sprintf("the %s classes of %s", o.Part, text)
	}
	if o.Split != "" {
		text += " (" + o.Split + ")"
	}
	return text
}

// Accuracies returns the accuracy of each episode, from 0 to 1.
func (o *Outcome) Accuracies() []float64 {
	all := make([]float64, len(o.Right))
	for i, right := range o.Right {
		all[i] = float64(right) / float64(o.Setting.Way*o.Setting.Query)
	}
	return all
}

// Accuracy returns the mean accuracy and half the width of its 95% interval.
func (o *Outcome) Accuracy() (mean, half float64) { return evaluate.Interval(o.Accuracies()) }

// Store keeps results in a file, one per line, and writes each at once.
type Store struct {
	path string // empty for ranks other than 0, which keep results in memory only
	results
}

type results struct {
	Outcomes []*Outcome
	Times    []*Timing
}

// storeFile is the file in a report's folder with all results.
const storeFile = "measured.jsonl"

// line is an outcome or a timing.
type line struct {
	*Outcome
	Timing *Timing `json:"timing,omitempty"`
}

// OpenStore reads the previous results in a folder, which need not exist. Only the first of several
// ranks reads and writes the file. Errors name the file and a damaged line.
func OpenStore(g cluster.Group, folder string) (s *Store, err error) {
	s = &Store{}
	if cluster.IsFirst(g) {
		s.path = filepath.Join(folder, storeFile)
		s.results, err = readResults(s.path)
	}
	s.results, err = cluster.FromLeader(g, s.results, err)
	return s, err
}

// readResults reads a file, which need not exist.
func readResults(path string) (r results, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return r, fmt.Errorf("%s, line %d: %w: fix or delete the file", path, n, err)
		}
		switch {
		case l.Timing != nil:
			r.Times = append(r.Times, l.Timing)
		case l.Outcome != nil && l.ID != "" && l.Setting.Way > 0 && l.Setting.Query > 0: // of no queries nothing can be said
			r.Outcomes = append(r.Outcomes, l.Outcome)
		default:
			return r, fmt.Errorf("%s, line %d: not a measurement: fix or delete the file", path, n)
		}
	}
	return r, lines.Err()
}

// first returns the first element for which same is true, or nil.
func first[T any](list []*T, same func(*T) bool) *T {
	if at := slices.IndexFunc(list, same); at >= 0 {
		return list[at]
	}
	return nil
}

// Find returns the outcome with an ID, or nil.
func (s *Store) Find(id string) *Outcome {
	return first(s.Outcomes, func(o *Outcome) bool { return o.ID == id })
}

// Put adds an outcome, or replaces an outcome with the same ID, and writes the file.
func (s *Store) Put(o *Outcome) error {
	if old := s.Find(o.ID); old != nil {
		*old = *o
	} else {
		s.Outcomes = append(s.Outcomes, o)
	}
	return s.write()
}

// FindTiming returns a time of the EMD layer, or nil.
func (s *Store) FindTiming(c timedCell) *Timing {
	return first(s.Times, func(t *Timing) bool { return t.timedCell == c })
}

// PutTiming adds or replaces a time of the EMD layer and writes the file.
func (s *Store) PutTiming(t *Timing) error {
	s.Times = append(slices.DeleteFunc(s.Times, func(old *Timing) bool { return old.timedCell == t.timedCell }), t)
	return s.write()
}

func (s *Store) write() (err error) {
	if s.path == "" {
		return nil
	}
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	for _, o := range s.Outcomes {
		err = errors.Join(err, lines.Encode(line{Outcome: o}))
	}
	for _, t := range s.Times {
		err = errors.Join(err, lines.Encode(line{Timing: t}))
	}
	if err != nil {
		return err
	}
	return atomicfile.Replace(s.path, text.Bytes())
}
