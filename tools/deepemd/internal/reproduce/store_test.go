package reproduce

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/require"
)

// TestStoreOfRanks: all ranks have the stored results, and only the first one writes.
func TestStoreOfRanks(t *testing.T) {
	folder := t.TempDir()
	outcome := func(id string) *Outcome {
		o := &Outcome{ID: id}
		o.Setting.Way, o.Setting.Query = 5, 15
		return o
	}
	before, err := OpenStore(cluster.Single{}, folder)
	if err == nil {
		err = before.Put(outcome("first"))
	}
	require.NoError(t, err)
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
	after, err := OpenStore(cluster.Single{}, folder)
	if err != nil || after.Find("second") == nil {
		t.Errorf("the first rank has not written: %v", err)
	}
	again := outcome("second")
	again.QueryMS = 7
	if err := after.Put(again); err != nil || len(after.Outcomes) != 2 || after.Find("second").QueryMS != 7 {
		t.Errorf("stored again: %d outcomes, error %v", len(after.Outcomes), err)
	}
	if _, err := os.Stat(filepath.Join(folder, "elsewhere")); err == nil {
		t.Error("the second rank has written")
	}
}

func TestDamagedStore(t *testing.T) {
	folder := t.TempDir()
	for content, want := range map[string]string{
		`{"id": "a", "setting": {"way": 5, "query": 15}}` + "\nsoup\n": "line 2", "{}\n": "not a measurement",
		`{"id": "a"}` + "\n": "line 1: not a measurement", // of no setting, so of no queries
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, storeFile), []byte(content), 0o666))
		if _, err := OpenStore(cluster.Single{}, folder); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), storeFile) {
			t.Errorf("%q: %v", content, err)
		}
	}
}

// FuzzOpenStore opens results of any text. The store can be queried and written, and is the same
// when it is read again.
func FuzzOpenStore(f *testing.F) {
	for _, text := range []string{
		"", "\n", "null\n", `{"id": "a", "setting": {"way": 5, "query": 15, "embedder": {"Kind": "grid", "Grid": [2]}}, "right": [70, 71]}`,
		`{"id": "a", "setting": null, "right": null}` + "\n" + `{"timing": {"solver": "x", "side": 5}}`,
		`{"id": "a", "setting": {"way": 0, "query": 0}, "right": [1]}`, `{"timing": null}`, `{"found": {}}`, `{"id": "a", "setting": {"embedder": {"Pyramid": [-1]}}}`,
	} {
		f.Add([]byte(text))
	}
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, storeFile), text, 0o600))
		var s *Store
		var err error
		bombs.Budget(t, 1<<20, 2048, len(text), func() { s, err = OpenStore(cluster.Single{}, folder) })
		if err != nil {
			return
		}
		for _, o := range s.Outcomes {
			o.Accuracy()
			_ = o.Setting.String()
			if s.Find(o.ID) == nil {
				t.Errorf("%q is not found", o.ID)
			}
		}
		require.NoError(t, s.write())
		if again, err := OpenStore(cluster.Single{}, folder); err != nil || !reflect.DeepEqual(again, s) {
			t.Errorf("it is read again as %+v, want %+v (%v)", again, s, err)
		}
	})
}
