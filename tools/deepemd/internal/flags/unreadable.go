package flags

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// Unreadable is the policy for files that cannot be read: verbs leave them out and list them, or
// stop at the first with --strict.
type Unreadable struct {
	Strict   bool
	Count    int // pictures that Report has returned
	pictures []*data.Damaged
}

// Register adds the flag --strict.
func (u *Unreadable) Register(f *pflag.FlagSet) {
	f.BoolVar(&u.Strict, "strict", false, "stop at the first file that cannot be read as an image or recording, or is in no folder of a class (default: leave it out, and list it)")
}

// Files lists the skipped files of a folder or archive, or returns an error with --strict.
func (u *Unreadable) Files(stderr io.Writer, files []data.Left) error {
	if u.Strict && len(files) > 0 {
		return fmt.Errorf("%s: it is no image, MP3 or WAV, cannot be read, or is in no folder of a class: remove it, or leave out --strict if you gave it", files[0].Name)
	}
	for _, line := range data.Describe(files) {
		fmt.Fprintln(stderr, verb.Line(line))
	}
	return nil
}

// Extract is evaluate.Extract with the policy. No readable image is an error.
func (u *Unreadable) Extract(ctx context.Context, names []string, read evaluate.Reader, x evaluate.Extraction) (evaluate.Features, error) {
	features, err := evaluate.Extract(ctx, names, read, u.Extraction(x))
	if err == nil && len(features) == 0 && len(u.pictures) > 0 {
		err = fmt.Errorf("no image can be read: %w", u.pictures[0])
	}
	return features, err
}

// Extraction completes an extraction with the policy.
func (u *Unreadable) Extraction(x evaluate.Extraction) evaluate.Extraction {
	if !u.Strict {
		x.LeaveOut = func(d *data.Damaged) { u.pictures = append(u.pictures, d) }
	}
	return x
}

// Report returns the pictures that extractions have left out since the last Report, and lists them: on a terminal
// only the first.
func (u *Unreadable) Report(stderr io.Writer) []*data.Damaged {
	const most = 5
	taken := u.pictures
	for i, d := range taken {
		if i == most && verb.OnTerminal(stderr) {
			fmt.Fprintf(stderr, "left out: %d more; 2> left-out.txt lists all\n", len(taken)-most)
			break
		}
		fmt.Fprintf(stderr, "left out: %s\n", verb.Line(d.Error()))
	}
	u.pictures = nil
	u.Count += len(taken)
	return taken
}

// NoteProfiles lists the pictures whose color profiles are not applied.
func NoteProfiles(stderr io.Writer, set *data.Set) {
	if names := set.Unconverted(); len(names) > 0 {
		fmt.Fprintf(stderr, "note: the color profiles of %s are not applied: %s\n", plural.Count(len(names), "picture", "pictures"), verb.Line(plural.First(names, 5)))
	}
}
