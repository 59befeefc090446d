package reproduce

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

// Outcomes are found again by the form of their setting: what was stored once is
// stored so for ever.
func TestSettingsAreStoredAsEver(t *testing.T) {
	grid := method.Paper()
	grid.Embedder = method.Embedder{Kind: method.Grid, Grid: []int{2, 3}, Ratio: 2}
	pyramid := method.Paper()
	pyramid.Embedder.Pyramid, pyramid.Classifier, pyramid.Weighting, pyramid.Solver = []int{2, 1}, "sfc", "mean-shift~0.5", "dense"
	for want, s := range map[string]Setting{
		`{"way":5,"shot":1,"query":15,"episodes":600,"seed":1,"embedder":{"Kind":"","Pyramid":null,"Grid":null,"Ratio":0,"Patches":0,"Seed":0},"classifier":"prototype","weighting":"cross-reference","solver":"simplex"}`: {
			Way: 5, Shot: 1, Query: 15, Episodes: 600, Seed: 1, Method: method.Paper(),
		},
		`{"network":"plain","data":"onto","pictures":100,"way":5,"shot":5,"query":15,"episodes":600,"seed":2,"embedder":{"Kind":"grid","Pyramid":null,"Grid":[2,3],"Ratio":2,"Patches":0,"Seed":0},"classifier":"prototype","weighting":"cross-reference","solver":"simplex"}`: {
			Network: Plain, Data: Onto, Pictures: 100, Way: 5, Shot: 5, Query: 15, Episodes: 600, Seed: 2, Method: grid,
		},
		`{"way":5,"shot":1,"query":15,"episodes":600,"seed":1,"embedder":{"Kind":"","Pyramid":[2,1],"Grid":null,"Ratio":0,"Patches":0,"Seed":0},"classifier":"sfc","weighting":"mean-shift~0.5","solver":"dense"}`: {
			Way: 5, Shot: 1, Query: 15, Episodes: 600, Seed: 1, Method: pyramid,
		},
	} {
		raw, err := json.Marshal(s)
		if err != nil || string(raw) != want {
			t.Errorf("stored as %s, error %v, want %s", raw, err, want)
		}
		var back Setting
		if err := json.Unmarshal(raw, &back); err != nil || !back.Method.Equal(s.Method) || back.Data != s.Data || back.Pictures != s.Pictures {
			t.Errorf("%s comes back as %+v, error %v", raw, back, err)
		}
	}
}

// The project's own report is found again, every line of it.
func TestReportOfTheProjectIsFoundAgain(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "..", "results", "report", storeFile))
	if err != nil {
		t.Skip("the report is not in this checkout:", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	seen := 0
	for lines.Scan() {
		var l struct{ Setting json.RawMessage }
		require.NoError(t, json.Unmarshal(lines.Bytes(), &l))
		if l.Setting == nil {
			continue
		}
		seen++
		var s Setting
		require.NoError(t, json.Unmarshal(l.Setting, &s))
		if raw, err := json.Marshal(s); err != nil || string(raw) != string(l.Setting) {
			t.Errorf("%s is stored as %s now, error %v", l.Setting, raw, err)
		}
	}
	if seen == 0 {
		t.Error("no outcomes")
	}
}
