package training

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/data"
)

// A run goes on when its files cannot be written: a full disk costs no step. What
// they would hold is kept, and written when it can be.

const (
	// retryAfter is how long after a failure files are written again, while the run
	// goes on.
	retryAfter = time.Minute
	// lastTries is how often files are written at the end of a run, with pauses of
	// lastPause: time for a person to make room.
	lastTries = 20
	lastPause = 30 * time.Second
)

// UnsavedError says that a run ended, or was stopped, with files that could not be
// written. Those of before are whole.
type UnsavedError struct{ Err error }

// Error says that what came since the last checkpoint is lost, and why.
func (e *UnsavedError) Error() string {
	return fmt.Sprintf("what came since the last checkpoint is not saved: %v", e.Err)
}

// Unwrap returns what writing gave.
func (e *UnsavedError) Unwrap() error { return e.Err }

// unsaved are the files that a run could not write yet.
type unsaved struct {
	networks map[string]*weights.File // by the names of their files
	best     int                      // validation accuracy of the best one of them
	failed   time.Time                // when writing failed last; zero when it did not
	logFails bool
}

// record adds to the log. That it cannot be written is said once.
func (t *Trainer) record(r Record) {
	if t.log == nil {
		return
	}
	err := t.log.Add(r)
	if err != nil && !t.unsaved.logFails {
		t.note(t.trouble(LogFile, err, nil).Error())
	}
	t.unsaved.logFails = err != nil
}

// save writes the checkpoint, and what could not be written before. Ranks other than 0 have
// nothing to write.
func (t *Trainer) save() error {
	if !t.peers.Leads() {
		return nil
	}
	t.saved = time.Now()
	var problems []error
	for _, name := range []string{BestFile, LastFile} {
		network := t.unsaved.networks[name]
		if network == nil {
			continue
		}
		if err := t.write(name, func(w io.Writer) error { return network.Encode(w, weights.F32) }); err != nil {
			problems = append(problems, err)
			continue
		}
		delete(t.unsaved.networks, name)
		if name == BestFile {
			t.best = t.unsaved.best
		}
	}
	if err := t.log.Flush(); err != nil {
		problems = append(problems, t.trouble(LogFile, err, nil))
	}
	if err := t.write(CheckpointFile, t.state().Encode); err != nil {
		problems = append(problems, err)
	}
	if len(problems) == 0 {
		if !t.unsaved.failed.IsZero() {
			t.note("the run's files could be written again")
		}
		t.unsaved.failed = time.Time{}
		return nil
	}
	t.unsaved.failed = time.Now()
	return &UnsavedError{errors.Join(problems...)}
}

// saveAndGoOn saves; where that fails it says so, and the run goes on.
func (t *Trainer) saveAndGoOn() {
	if err := t.save(); err != nil {
		t.note(fmt.Sprintf("%v; the run goes on and tries again", err))
	}
}

// saveAgain saves when that failed a while ago.
func (t *Trainer) saveAgain() {
	if !t.unsaved.failed.IsZero() && time.Since(t.unsaved.failed) >= retryAfter {
		t.saveAndGoOn()
	}
}

// saveAtLast saves at the end of the run, with pauses for somebody to make room
// where that fails.
func (t *Trainer) saveAtLast(ctx context.Context) error {
	if t.unsaved.failed.IsZero() {
		return nil
	}
	pause := t.Pause
	if pause == 0 {
		pause = lastPause
	}
	err := t.save()
	for range lastTries {
		if err == nil {
			return nil
		}
		t.note(fmt.Sprintf("%v; the run is done, and tries again in %v", err, pause))
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), t.save())
		case <-time.After(pause):
		}
		err = t.save()
	}
	return err
}

// curves draws the log.
func (t *Trainer) curves() {
	if !t.peers.Leads() {
		return
	}
	err := t.write(CurvesFile, func(w io.Writer) error { return drawCurves(w, t.Settings.Name, t.log.Records()) })
	if err != nil { // the next epoch draws them again
		t.note(err.Error())
	}
}

// write writes a file of the run's folder, whole or not at all.
func (t *Trainer) write(name string, encode func(io.Writer) error) error {
	write := t.Write
	if write == nil {
		write = atomicfile.Write
	}
	if err := write(filepath.Join(t.Dir, name), encode); err != nil {
		return t.trouble(name, err, encode)
	}
	return nil
}

// trouble says of a file that could not be written what to do.
func (t *Trainer) trouble(name string, err error, encode func(io.Writer) error) error {
	if !atomicfile.IsFull(err) {
		return fmt.Errorf("%s cannot be written: %w", name, err)
	}
	room := "room"
	if encode != nil {
		var size counter
		if encode(&size) == nil {
			room = data.Bytes(int64(size))
		}
	}
	return fmt.Errorf("%s cannot be written, the disk is full: make %s free in %s (%w)", name, room, t.Dir, err)
}

// counter counts what is written.
type counter int64

// Write implements io.Writer, and keeps nothing but the count of bytes; it never fails.
func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// note tells what a person should know of, and what does not stop the run.
func (t *Trainer) note(text string) {
	if t.Watch.Note != nil {
		t.Watch.Note(text)
	}
}

// skip makes the run's pictures be passed over where they cannot be read, those
// first that an earlier session passed over up to the checkpoint: the run takes the
// same ones as if it had not been stopped, whatever was mended since.
func (t *Trainer) skip() error {
	if t.Pictures == nil {
		return nil
	}
	var names []string
	for _, r := range t.Skipped() {
		names = append(names, r.Skipped)
	}
	names, err := cluster.FromLeader(t.peers, names, nil)
	if err != nil {
		return err
	}
	t.Pictures.Skip(names...)
	return nil
}

// tellSkipped logs the pictures that were passed over since it was last called.
// What a batch passed over is logged before the step that takes it, so that the log
// up to a checkpoint has all that the checkpoint depends on. Rank 0 logs those of all
// ranks.
func (t *Trainer) tellSkipped(epoch float64) error {
	if t.Pictures == nil {
		return nil
	}
	type passed struct{ Name, Reason, Text string }
	var mine []passed
	for _, d := range t.Pictures.Skipped() {
		mine = append(mine, passed{d.Name, d.Err.Error(), d.Error()})
	}
	all, err := cluster.All(t.peers, mine)
	if err != nil {
		return err
	}
	told := map[string]bool{}
	for _, d := range slices.Concat(all...) {
		if told[d.Name] { // by another rank
			continue
		}
		told[d.Name] = true
		t.record(Record{Step: t.step, Epoch: epoch, Seconds: t.seconds(), Skipped: d.Name, Reason: d.Reason})
		t.note(d.Text + "; passed over, another picture of its class takes its place")
	}
	return nil
}

// Skipped lists the pictures that the run has passed over, in all its sessions.
func (t *Trainer) Skipped() []Record {
	var skipped []Record
	if t.log == nil {
		return nil
	}
	for _, r := range t.log.Records() {
		if r.Skipped != "" {
			skipped = append(skipped, r)
		}
	}
	return skipped
}
