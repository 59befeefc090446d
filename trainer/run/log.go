package run

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Record is one line of a run's log. Figures that were not taken are left out.
type Record struct {
	Step      int     `json:"step"`
	Epoch     float64 `json:"epoch"`
	Seconds   float64 `json:"seconds"` // spent in training, over all sessions of the run
	Size      int     `json:"size,omitempty"`
	Rate      float64 `json:"rate,omitempty"`
	Loss      float64 `json:"loss,omitempty"`
	Accuracy  float64 `json:"accuracy,omitempty"`
	Rotation  float64 `json:"rotation,omitempty"` // accuracy of the auxiliary task
	Gradient  float64 `json:"gradient,omitempty"` // norm, before clipping
	PerSecond float64 `json:"perSecond,omitempty"`
	// Validation is the accuracy over validation episodes, Interval half the
	// width of its 95% confidence interval.
	Validation float64 `json:"validation,omitempty"`
	Interval   float64 `json:"interval95,omitempty"`
}

// Log is a run's log: a JSON object a line.
type Log struct {
	file    *os.File
	records []Record
}

// OpenLog opens the log at path for appending, and drops what it holds of steps
// after the given one: a run that continues from there takes them again.
func OpenLog(path string, step int) (*Log, error) {
	records, err := ReadLog(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	l := &Log{}
	var kept bytes.Buffer
	out := json.NewEncoder(&kept)
	for _, r := range records {
		if r.Step > step {
			continue
		}
		l.records = append(l.records, r)
		if err := out.Encode(r); err != nil {
			return nil, err
		}
	}
	if l.file, err = os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644); err != nil {
		return nil, err
	}
	if _, err := l.file.Write(kept.Bytes()); err != nil {
		return nil, err
	}
	return l, nil
}

// Add appends a record.
func (l *Log) Add(r Record) error {
	l.records = append(l.records, r)
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = l.file.Write(append(line, '\n'))
	return err
}

// Records are all records so far, those of earlier sessions included.
func (l *Log) Records() []Record { return l.records }

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }

// ReadLog reads a log. A last line that was cut off is left out.
func ReadLog(path string) ([]Record, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var records []Record
	lines := bufio.NewReader(file)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return records, nil
		}
		var r Record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s: line %d is no record: %w", path, number, err)
		}
		records = append(records, r)
	}
}
