package reproduce

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

// IDs of results are computed from the stored form of their setting, so it must not change.
func TestSettingsAreStoredAsEver(t *testing.T) {
	fcn := Row{}
	grid := Row{Network: Plain, Data: Onto, Embedder: method.Embedder{Kind: method.Grid, Grid: []int{2, 3}, Ratio: 2}}
	pyramid := Row{Embedder: method.Embedder{Pyramid: []int{2, 1}}, Classifier: "sfc", Weighting: "mean-shift~0.5", Solver: "dense"}
	plan := Plan{Episodes: 600, OneShotEpisodes: 600, Query: 15, Seed: 1, CropPictures: 100}
	for want, s := range map[string]Setting{
		`{"way":5,"shot":1,"query":15,"episodes":600,"seed":1,"embedder":{"Kind":"","Pyramid":null,"Grid":null,"Ratio":0,"Patches":0,"Seed":0},"classifier":"prototype","weighting":"cross-reference","solver":"simplex"}`:                                                     plan.setting(new(Table), fcn, fiveWayOne),
		`{"network":"plain","data":"onto","pictures":100,"way":5,"shot":5,"query":15,"episodes":600,"seed":1,"embedder":{"Kind":"grid","Pyramid":null,"Grid":[2,3],"Ratio":2,"Patches":0,"Seed":0},"classifier":"prototype","weighting":"cross-reference","solver":"simplex"}`: plan.setting(new(Table), grid, fiveWayFive),
		`{"way":5,"shot":1,"query":15,"episodes":600,"seed":1,"embedder":{"Kind":"","Pyramid":[2,1],"Grid":null,"Ratio":0,"Patches":0,"Seed":0},"classifier":"sfc","weighting":"mean-shift~0.5","solver":"dense"}`:                                                             plan.setting(new(Table), pyramid, fiveWayOne),
	} {
		raw, err := json.Marshal(s)
		if err != nil || string(raw) != want {
			t.Errorf("stored as %s, error %v, want %s", raw, err, want)
		}
		var back Setting
		if err := json.Unmarshal(raw, &back); err != nil || !reflect.DeepEqual(back, s) {
			t.Errorf("%s comes back as %+v, error %v", raw, back, err)
		}
	}
}

// The settings in the project's own reports keep their stored form, and a cell of a table still has each, so that
// nothing is measured again.
func TestReportsOfTheProjectAreFoundAgain(t *testing.T) {
	for _, report := range []string{"", "crops", "mini-imagenet"} {
		file, err := os.Open(filepath.Join("..", "..", "..", "..", "trainer", "results", "report", report, storeFile))
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
			if !measures(s) {
				t.Errorf("no cell has %s", l.Setting)
			}
		}
		if seen == 0 {
			t.Errorf("%q has no outcomes", report)
		}
	}
}

// measures reports whether a cell of a table has a setting, for any network.
func measures(s Setting) bool {
	p := Plan{Episodes: s.Episodes, OneShotEpisodes: s.Episodes, LayerEpisodes: s.Episodes, Query: s.Query, Seed: s.Seed, CropPictures: s.Pictures, Shots: []int{s.Shot}}
	for _, t := range Tables(p) {
		for _, row := range t.Rows {
			for _, column := range t.Columns {
				cell := p.setting(t, row, column)
				cell.Network = s.Network
				if reflect.DeepEqual(cell, s) {
					return true
				}
			}
		}
	}
	return false
}

// A separate network embeds crops if there is one, or otherwise the main network. Nothing replaces
// a network of another kind of pre-training, unless it is known that the main network has it.
func TestNetworksForCropsAndPretraining(t *testing.T) {
	main, _ := network(t, 1)
	other, _ := network(t, 2)
	l := &Lab{Plan: Plan{Episodes: 2, OneShotEpisodes: 2, Query: 3}, Networks: map[string]*Network{Main: main}, Data: map[string]*Dataset{Main: dataset(t, 10, 9)}}
	of := func(t *Table, key string) string { return l.ID(Cell{t, t.row(key), t.Columns[0]}) }
	table := embeddersTable()
	fcn, grid, sampling := of(table, "fcn"), of(table, "grid-2-3"), of(table, "sampling-25")
	if got := len(l.Cells(table)); got != len(table.Rows)*len(table.Columns) {
		t.Errorf("%d cells can be measured with one network, want all of %d rows", got, len(table.Rows))
	}
	l.Networks[method.Grid] = other
	if of(table, "fcn") != fcn || of(table, "sampling-25") != sampling {
		t.Error("a network for grids changes what is measured of others")
	}
	if of(table, "grid-2-3") == grid {
		t.Error("grids are not embedded by their own network")
	}
	rotations := rotationsTable()
	for _, test := range []struct {
		role string
		want int // rows
	}{{Main, 3}, {Plain, 6}, {Augmented, 9}, {Rotated, 9}} {
		l.Networks[test.role] = main
		if got := len(l.Cells(rotations)); got != 3*test.want {
			t.Errorf("with %q: %d cells of table 4, want %d rows of 3", test.role, got, test.want)
		}
	}
	delete(l.Networks, Plain)
	if got := len(l.Cells(rotations)); got != 27 {
		t.Errorf("%d cells of table 4 if the main network is the one without rotations, want 27", got)
	}
}

// A report has one number of episodes for each name that the plan gives to cells.
func TestCellsWithANumberOfEpisodes(t *testing.T) {
	for _, plan := range []Plan{
		{Episodes: 6, OneShotEpisodes: 6, LayerEpisodes: 6}, {Episodes: 6, OneShotEpisodes: 6, LayerEpisodes: 3},
		{Episodes: 6, OneShotEpisodes: 50, LayerEpisodes: 6}, {Episodes: 6, OneShotEpisodes: 50, LayerEpisodes: 3},
	} {
		episodes := map[string]int{}
		for _, row := range []Row{{}, {Classifier: layer}, {Several: layer}} {
			for _, shot := range []int{1, 5} {
				s := plan.setting(new(Table), row, Column{Way: 5, Shot: shot})
				name := plan.of(s)
				if known := episodes[name]; known != 0 && known != s.Episodes {
					t.Errorf("%+v: %d and %d episodes%s", plan, known, s.Episodes, name)
				}
				episodes[name] = s.Episodes
			}
		}
		if same := plan.Episodes == plan.OneShotEpisodes && plan.Episodes == plan.LayerEpisodes; same != (len(episodes) == 1) {
			t.Errorf("%+v: cells %v", plan, episodes)
		}
	}
}

func TestOrdersNameRows(t *testing.T) {
	for _, table := range Tables(Plan{Shots: []int{1, 5}}) {
		seen := map[string]bool{}
		for _, r := range table.Rows {
			if seen[r.Key] {
				t.Errorf("%s has two rows %s", table.Name, r.Key)
			}
			seen[r.Key] = true
		}
		for _, order := range table.Orders {
			for _, key := range append([]string{order.Better}, order.Worse...) {
				if !seen[key] {
					t.Errorf("%s has no row %s", table.Name, key)
				}
			}
		}
	}
}
