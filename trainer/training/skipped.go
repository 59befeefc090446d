package training

import (
	"fmt"

	"github.com/deepemd/deepemd/trainer/training/runfolder"
)

// skip makes the run's pictures be passed over where they cannot be read, those
// first that an earlier session passed over up to the checkpoint: the run takes the
// same ones as if it had not been stopped, whatever was mended since.
func (t *Trainer) skip() {
	if t.Pictures == nil {
		return
	}
	var names []string
	for _, r := range t.Skipped() {
		names = append(names, r.Skipped)
	}
	t.Pictures.Skip(names...)
}

// tellSkipped logs the pictures that were passed over since it was last called.
// What a batch passed over is logged before the step that takes it, so that the log
// up to a checkpoint has all that the checkpoint depends on.
func (t *Trainer) tellSkipped(epoch float64) {
	if t.Pictures == nil {
		return
	}
	for _, d := range t.Pictures.Skipped() {
		t.record(runfolder.Record{Step: t.step, Epoch: epoch, Seconds: t.seconds(), Skipped: d.Name, Reason: d.Err.Error()})
		t.note(fmt.Sprintf("%v; passed over, another picture of its class takes its place", d))
	}
}

// Skipped lists the pictures that the run has passed over, in all its sessions.
func (t *Trainer) Skipped() []runfolder.Record {
	var skipped []runfolder.Record
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
