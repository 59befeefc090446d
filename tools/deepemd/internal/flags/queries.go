package flags

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/data"
)

// Unread is the error of a file that cannot be read or decoded.
type Unread struct{ Err error }

// Error returns the cause.
func (e *Unread) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Unread) Unwrap() error { return e.Err }

// Queries are the files to query.
type Queries struct {
	Paths []string
	found map[string]bool // in a folder, not named
	left  []data.Left     // of folders
	lost  int             // named files that Ask has left out
	rest  int             // files that Ask left unanswered after Ctrl+C
}

// Expand replaces the folders among the arguments of a command by their files. An empty folder is an
// error.
func Expand(arguments []string) (*Queries, error) {
	q := &Queries{found: map[string]bool{}}
	for _, argument := range arguments {
		paths, left, err := data.Files(argument)
		if err != nil {
			return nil, err
		}
		if len(paths) == 0 {
			return nil, fmt.Errorf("%s: the folder has no pictures%s: name one that has some", argument, data.Instead(left))
		}
		for _, path := range paths {
			q.found[path] = path != argument
		}
		q.Paths, q.left = append(q.Paths, paths...), append(q.left, left...)
	}
	return q, nil
}

// Count returns a number of inputs in words: recordings, or else images by their given name.
func Count(n int, sound bool, image string) string {
	if sound {
		image = "recording"
	}
	return plural.Count(n, image, image+"s")
}

// Lost returns an error if Ask has left out named files, or was stopped.
func (q *Queries) Lost() error {
	if q.rest > 0 {
		return fmt.Errorf("stopped: %d of %s not answered", q.rest, plural.Count(len(q.Paths), "query is", "queries are"))
	}
	if q.lost == 0 {
		return nil
	}
	return fmt.Errorf("%s left out: see above", plural.Count(q.lost, "query was", "queries were"))
}

// Ask calls ask for every query, and shows the progress. It leaves out queries that cannot be read; none remaining is
// an error, and so is a single query. Ctrl+C ends it; the answers so far stay.
func (u *Unreadable) Ask(stderr io.Writer, q *Queries, ask func(path string) error) error {
	if err := u.Files(stderr, q.left); err != nil {
		return err
	}
	answered := 0
	ctx, done := signal.NotifyContext(context.Background(), os.Interrupt)
	defer done()
	context.AfterFunc(ctx, done) // a second Ctrl+C ends the program
	err := verb.Each(stderr, "queries answered", len(q.Paths), func(above io.Writer, i int) error {
		if ctx.Err() != nil && answered > 0 {
			q.rest++
			return nil
		}
		err := ask(q.Paths[i])
		if err == nil {
			answered++
		} else if found := q.found[q.Paths[i]]; (found || len(q.Paths) > 1) && u.Skip(above, err) {
			if !found {
				q.lost++
			}
			return nil
		}
		return err
	})
	if err == nil && answered == 0 {
		return errors.New("no query can be read: give pictures or recordings")
	}
	return err
}

// Skip reports whether a verb leaves out a file because of an error, and lists it.
func (u *Unreadable) Skip(stderr io.Writer, err error) bool {
	if u.Strict || !errors.As(err, new(*Unread)) {
		return false
	}
	fmt.Fprintf(stderr, "left out: %s\n", verb.Line(err.Error()))
	return true
}
