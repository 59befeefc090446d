package training

import (
	"slices"

	"github.com/deepemd/deepemd/internal/cluster"
)

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
	if err := cluster.Tell(t.ranks.group, &names); err != nil {
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
	all, err := cluster.All(t.ranks.group, mine)
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
