package training

import (
	"cmp"
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
	"github.com/deepemd/deepemd/internal/plural"
)

// A run continues if its files cannot be written, for example because the disk is full. It keeps
// their contents and tries again.
const (
	// retryAfter is the time between a failure and the next attempt during the run.
	retryAfter = time.Minute
	// lastTries is the number of attempts at the end of a run, with pauses of lastPause to free
	// disk space.
	lastTries = 20
	lastPause = 30 * time.Second
)

// UnsavedError reports that a run ended or was stopped before its files could be written. The
// previous files are intact.
type UnsavedError struct{ Err error }

// Error states the cause.
func (e *UnsavedError) Error() string {
	return fmt.Sprintf("the progress since the last checkpoint is not saved: %v", e.Err)
}

// Unwrap returns the cause.
func (e *UnsavedError) Unwrap() error { return e.Err }

// unsaved are the files that are not written yet.
type unsaved struct {
	networks map[string]*weights.File // by file name
	best     int                      // validation accuracy of the best unsaved network
	failed   time.Time                // last failure; zero after a success
	logFails bool
}

// record adds to the log. It notes the first of several write errors.
func (t *Trainer) record(r Record) {
	if t.log == nil {
		return
	}
	err := t.log.Add(r)
	if err != nil && !t.unsaved.logFails {
		t.note(t.writeError(LogFile, err, nil).Error())
	}
	t.unsaved.logFails = err != nil
}

// save writes all unsaved files and then the checkpoint. Only rank 0 writes files.
func (t *Trainer) save() error {
	if !t.peers.IsFirst() {
		return nil
	}
	if err := t.pull(); err != nil {
		return err
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
		problems = append(problems, t.writeError(LogFile, err, nil))
	}
	if len(t.unsaved.networks) == 0 { // otherwise a run that is resumed must make them again
		if err := t.write(CheckpointFile, t.state().Encode); err != nil {
			problems = append(problems, err)
		}
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

// saveOrNote saves. It notes an error and does not stop the run.
func (t *Trainer) saveOrNote() {
	if err := t.save(); err != nil {
		t.note(fmt.Sprintf("%v; the run continues and tries again", err))
	}
}

// saveAtEnd retries at the end of the run, with pauses to free disk space.
func (t *Trainer) saveAtEnd(ctx context.Context) error {
	if t.unsaved.failed.IsZero() {
		return nil
	}
	pause, err := cmp.Or(t.Pause, lastPause), t.save()
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

func (t *Trainer) curves() {
	if !t.peers.IsFirst() {
		return
	}
	err := t.write(CurvesFile, func(w io.Writer) error { return drawCurves(w, t.Settings.Name, t.log.records) })
	if err != nil { // the next epoch draws them again
		t.note(err.Error())
	}
}

// write writes a file of the run's folder atomically.
func (t *Trainer) write(name string, encode func(io.Writer) error) error {
	write := t.Write
	if write == nil {
		write = atomicfile.Write
	}
	if err := write(filepath.Join(t.Dir, name), encode); err != nil {
		return t.writeError(name, err, encode)
	}
	return nil
}

// writeError returns an error that names a file and the remedy.
func (t *Trainer) writeError(name string, err error, encode func(io.Writer) error) error {
	if !atomicfile.IsFull(err) {
		return fmt.Errorf("%s cannot be written: %w", name, err)
	}
	room := "room"
	if encode != nil {
		var size counter
		if encode(&size) == nil {
			room = plural.Bytes(float64(size))
		}
	}
	return fmt.Errorf("%s cannot be written, the disk is full: make %s free in %s (%w)", name, room, t.Dir, err)
}

// counter counts the written bytes.
type counter int64

// Write implements io.Writer. It never fails.
func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// note reports a problem that does not stop the run.
func (t *Trainer) note(text string) {
	if t.Watch.Note != nil {
		t.Watch.Note(text)
	}
}

// skip makes the set replace unreadable images. It starts with the images that earlier sessions
// replaced before the checkpoint, so that the run uses the same images as without the interruption,
// even if the files were repaired.
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

// logSkipped logs the images that were replaced since the previous call, on all ranks. They are
// logged before the step that uses the batch, so that the log up to a checkpoint has everything the
// checkpoint depends on.
func (t *Trainer) logSkipped(epoch float64) error {
	if t.Pictures == nil {
		return nil
	}
	all, err := cluster.AllGather(t.peers, t.Pictures.Skipped())
	if err != nil {
		return err
	}
	told := map[string]bool{}
	for _, d := range slices.Concat(all...) {
		if told[d.Name] {
			continue
		}
		told[d.Name] = true
		t.record(Record{Step: t.step, Epoch: epoch, Seconds: t.seconds(), Skipped: d.Name, Reason: d.Err.Error()})
		t.note(d.Error() + "; passed over, another image of its class takes its place")
	}
	return nil
}

// Skipped returns the records of images that were replaced, in all sessions.
func (t *Trainer) Skipped() []Record {
	if t.log == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(t.log.records), func(r Record) bool { return r.Skipped == "" })
}
