package verb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// Readable turns the errors of opening and reading a file into ones that say
// what to do.
func Readable(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: is the path right?", err)
	case errors.Is(err, syscall.EISDIR):
		return fmt.Errorf("%w: name a file in it", err)
	}
	return err
}

// Interrupted says in plain words that the person has stopped the command; other
// errors stay.
func Interrupted(err error) error {
	if errors.Is(err, context.Canceled) {
		return errors.New("stopped before the end: nothing was written")
	}
	return err
}
