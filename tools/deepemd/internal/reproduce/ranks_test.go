package reproduce

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/require"
)

// TestStoreOfRanks: all ranks know what was measured before, and only the first one writes.
func TestStoreOfRanks(t *testing.T) {
	folder := t.TempDir()
	outcome := func(id string) *Outcome {
		o := &Outcome{ID: id}
		o.Setting.Way, o.Setting.Query = 5, 15
		return o
	}
	before, err := OpenStore(cluster.Alone{}, folder)
	if err == nil {
		err = before.Put(outcome("first"))
	}
	if err != nil {
		t.Fatal(err)
	}
	errs := make([]error, 2)
	var wait sync.WaitGroup
	for rank, g := range cluster.InProcess(2) {
		wait.Go(func() {
			at := folder
			if rank > 0 { // a machine that does not see the folder
				at = filepath.Join(folder, "elsewhere")
			}
			s, err := OpenStore(g, at)
			if err == nil && s.Find("first") == nil {
				err = errors.New("what was measured is unknown")
			}
			if err == nil {
				err = s.Put(outcome("second"))
			}
			errs[rank] = err
		})
	}
	wait.Wait()
	require.NoError(t, errors.Join(errs...))
	after, err := OpenStore(cluster.Alone{}, folder)
	if err != nil || after.Find("second") == nil {
		t.Errorf("the first rank has not written: %v", err)
	}
	if _, err := os.Stat(filepath.Join(folder, "elsewhere")); err == nil {
		t.Error("the second rank has written")
	}
}
