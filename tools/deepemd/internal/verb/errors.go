package verb

import (
	"context"
	"errors"
)

// Interrupted says in plain words that the person has stopped the command; other
// errors stay.
func Interrupted(err error) error {
	if errors.Is(err, context.Canceled) {
		return errors.New("stopped before the end: nothing was written")
	}
	return err
}
