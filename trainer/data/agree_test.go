package data

import (
	"errors"
	"sync"
	"testing"

	"github.com/deepemd/deepemd/internal/cluster"
)

// TestAgree: all ranks return the error of the first one that has one.
func TestAgree(t *testing.T) {
	damaged := &Damaged{Set: "birds", Name: "owl/1.png", Err: errors.New("no picture")}
	for name, c := range map[string]struct {
		errs [3]error
		want string // of rank 0, as rank 1 words it
	}{
		"none":    {},
		"damaged": {[3]error{nil, damaged, errors.New("other")}, "rank 1: birds: owl/1.png: no picture"},
		"any":     {[3]error{nil, nil, errors.New("full")}, "rank 2: full"},
	} {
		got := make([]error, 3)
		var wait sync.WaitGroup
		for rank, g := range cluster.InProcess(3) {
			wait.Go(func() { got[rank] = Agree(g, c.errs[rank]) })
		}
		wait.Wait()
		for rank, err := range got {
			if (err != nil) != (c.want != "") {
				t.Errorf("%s: rank %d returns %v", name, rank, err)
			}
			var d *Damaged
			if name == "damaged" && (!errors.As(err, &d) || d.Name != damaged.Name) {
				t.Errorf("rank %d does not know the damaged picture: %v", rank, err)
			}
		}
		if c.want != "" && got[0].Error() != c.want {
			t.Errorf("%s: rank 0 returns %v, want %s", name, got[0], c.want)
		}
	}
}
