package recognize

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/tools/deepemd/internal/indexfile"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// staleness lists the pictures of an index whose files have changed or are gone.
type staleness struct {
	numbers []int
	names   []string
	missing bool // the index lacks listed pictures
}

// compareFiles compares the SHA-256 of files with the digests in an index. Files that exist but
// cannot be read are listed on stderr, and their features stay.
func compareFiles(ctx context.Context, stderr io.Writer, x *indexfile.File, pictures *data.Set, names []string) (s staleness, err error) {
	listed := make(map[string]bool, len(names))
	for _, name := range names {
		listed[name] = true
	}
	kept := 0
	err = verb.ProgressOn(stderr)("pictures compared", func(show evaluate.Progress) error {
		return x.Guard(func() error {
			for i := range x.Len() {
				if err := ctx.Err(); err != nil {
					return err
				}
				show(i, x.Len())
				if x.Deleted(i) {
					continue
				}
				name := x.Name(i)
				digest, err := pictures.Digest(name)
				switch {
				case err != nil && !errors.Is(err, fs.ErrNotExist):
					fmt.Fprintf(stderr, "cannot compare %s, its features stay: %s\n", verb.Line(name), verb.Line(err.Error()))
				case err != nil, digest != x.Digest(i), listed[name] && pictures.LabelOf(name) != x.Class(i):
					s.numbers, s.names = append(s.numbers, i), append(s.names, name)
					continue
				}
				if listed[name] {
					kept++
				}
			}
			return nil
		})
	})
	s.missing = kept < len(listed)
	return s, err
}

// remove deletes the pictures from the index, and marks an index that will get more as incomplete.
func (s *staleness) remove(index *indexfile.Writer) error {
	if s.missing {
		if err := index.Reopen(); err != nil {
			return err
		}
	}
	if len(s.numbers) == 0 {
		return nil
	}
	return index.Delete(index.Index.Index, s.numbers...)
}

// report returns the numbers of replaced and of removed pictures, and lists both on stderr.
func (s *staleness) report(stderr io.Writer, has func(name string) bool) (replaced, removed int) {
	var again, lost []string
	for _, name := range s.names {
		if has(name) {
			again = append(again, name)
		} else {
			lost = append(lost, name)
		}
	}
	if len(again) > 0 {
		fmt.Fprintf(stderr, "replaced: %s\n", verb.Line(plural.First(again, 5)))
	}
	if len(lost) > 0 {
		fmt.Fprintf(stderr, "removed: %s\n", verb.Line(plural.First(lost, 5)))
	}
	return len(again), len(lost)
}
