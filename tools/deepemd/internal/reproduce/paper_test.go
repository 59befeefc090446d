package reproduce

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

var update = flag.Bool("update", false, "write paper.csv anew")

// printed are the paper's names of the rows in our tables. Only table 7 has other rows: the results of
// other papers.
var printed = map[string]map[string]string{
	"table1": {
		"euclidean": "ProtoNet", "matching": "MatchingNet", "linear-head": "FC (dot)", "cosine-head": "FC (cosine)",
		"dn4": "KNN", "prediction-fusion": "Prediction Fusion", "deepemd-fcn": "DeepEMD-FCN (our)",
	},
	"table2": {
		"cross-reference": "EMD: CR", "equal": "EMD: Equal",
		"k-means:25": "EMD: K-means (K=25)", "k-means:10": "EMD: K-means (K=10)", "k-means:5": "EMD: K-means (K=5)",
		"k-means:2": "EMD: K-means (K=2)", "k-means:1": "EMD: K-means (K=1)",
		"mean-shift": "EMD: Mean-shift (auto BD, mK=3.4)", "mean-shift:+Inf": "EMD: Mean-shift (BD ≈ inf, mK=1)",
		"mean-shift:0.001": "EMD: Mean-shift (BD ≈ 0, mK=25)",
		"mean-shift:2.5":   "EMD: Mean-shift (BD = 2.5, mK=24.7)", "mean-shift:5": "EMD: Mean-shift (BD = 5, mK=22.8)",
		"mean-shift:7.5": "EMD: Mean-shift (BD = 7.5, mK=18.1)", "mean-shift:10": "EMD: Mean-shift (BD = 10, mK=10.6)",
		"mean-shift:12.5": "EMD: Mean-shift (BD = 12.5, mK=4.3)", "mean-shift:15": "EMD: Mean-shift (BD = 15, mK=1.8)",
		"dense-equal": "DC: Average", "dense-cross-reference": "DC: CR",
	},
	"table3": {
		"fcn": "DeepEMD-FCN 5x5", "fcn-3": "DeepEMD-FCN P_feat(5, 3)", "fcn-2": "DeepEMD-FCN P_feat(5, 2)", "fcn-2-1": "DeepEMD-FCN P_feat(5, 2, 1)",
		"grid-2": "DeepEMD-Grid 2x2", "grid-3": "DeepEMD-Grid 3x3", "grid-4": "DeepEMD-Grid 4x4", "grid-5": "DeepEMD-Grid 5x5", "grid-6": "DeepEMD-Grid 6x6",
		"grid-2-3": "DeepEMD-Grid P_grid(3, 2)", "grid-3-5": "DeepEMD-Grid P_grid(5, 3)", "grid-2-5": "DeepEMD-Grid P_grid(5, 2)", "grid-2-3-5": "DeepEMD-Grid P_grid(5, 3, 2)",
		"sampling-9": "DeepEMD-Sampling 9 patches", "sampling-16": "DeepEMD-Sampling 16 patches", "sampling-25": "DeepEMD-Sampling 25 patches",
	},
	"table4": {
		"fcn-without": "DeepEMD-FCN", "fcn-augmented": "DeepEMD-FCN + rotation augmentation", "fcn-with": "DeepEMD-FCN + self-supervision",
		"grid-without": "DeepEMD-Grid", "grid-augmented": "DeepEMD-Grid + rotation augmentation", "grid-with": "DeepEMD-Grid + self-supervision",
		"sampling-without": "DeepEMD-Sampling", "sampling-augmented": "DeepEMD-Sampling + rotation augmentation", "sampling-with": "DeepEMD-Sampling + self-supervision",
	},
	"table5": {
		"euclidean": "ProtoNet", "matching": "MatchingNet", "linear-head": "linear classifier", "cosine-head": "cosine classifier",
		"dn4": "KNN", "deepemd-fcn": "DeepEMD-FCN",
	},
	"table6": {"simplex": "OpenCV", "interior-l2": "QPTH"},
	"table7": {
		"euclidean": "ProtoNet", "matching": "MatchNet", "cosine-head": "cosine classifier",
		"deepemd-fcn": "DeepEMD-FCN", "deepemd-grid": "DeepEMD-Grid", "deepemd-sampling": "DeepEMD-Sampling",
	},
}

// cell is an entry of the list of the paper's figures.
type cell struct {
	Row, Benchmark, Solver, Spatial string
	TestedOn                        string `json:"tested_on"`
	Size                            string `json:"spatial_size"`
	Dimension, Way, Shot            int
	Value, Interval                 float64
	Clusters                        float64 `json:"mean_clusters"`
	Uncertain, Ours                 bool
}

// TestPaperFile generates paper.csv from the list of all figures, and compares it with the file.
// `go test -run TestPaperFile ./tools/deepemd/internal/reproduce -update` writes the file.
func TestPaperFile(t *testing.T) {
	raw := require.Value(os.ReadFile(require.Shared(t, "reference/paper-tables.json")))(t)
	var paper struct {
		Tables map[string]struct{ Rows []cell }
	}
	require.NoError(t, json.Unmarshal(raw, &paper))
	lines := [][]string{{"table", "row", "column", "data", "value", "interval", "uncertain", "clusters"}}
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	for number, rows := range printed {
		known := map[string]bool{}
		for _, c := range paper.Tables[strings.TrimPrefix(number, "table")].Rows {
			known[c.Row], known[c.Solver] = true, true
			has := slices.ContainsFunc(slices.Collect(maps.Values(rows)), func(row string) bool { return row == c.Row || row == c.Solver })
			if !has && (number != "table7" || c.Ours) {
				t.Errorf("%s: no row for %q", number, c.Row)
			}
		}
		for ours, row := range rows {
			if !known[row] {
				t.Errorf("%s: no row %q for %s", number, row, ours)
			}
		}
	}
	for _, table := range slices.Sorted(maps.Keys(printed)) {
		for _, c := range paper.Tables[strings.TrimPrefix(table, "table")].Rows {
			for ours, row := range printed[table] {
				line := []string{table, ours, fmt.Sprintf("%dw%ds", c.Way, c.Shot), c.Benchmark, number(c.Value), "", "", ""}
				switch {
				case table == "table6" && c.Solver == row:
					var side int
					require.Value(fmt.Sscanf(c.Size, "%d", &side))(t)
					line[2], line[3], line[4] = fmt.Sprintf("%dx%d", side, c.Dimension), "", number(float64(int(1e6*c.Value+0.5))/1e3)
				case c.Row != row:
					continue
				case c.TestedOn != "":
					line[3] = c.TestedOn
				}
				if c.Interval > 0 {
					line[5] = number(c.Interval)
				}
				if c.Uncertain {
					line[6] = "yes"
				}
				if c.Clusters > 0 {
					line[7] = number(c.Clusters)
				}
				lines = append(lines, line)
			}
		}
	}
	var text bytes.Buffer
	require.NoError(t, csv.NewWriter(&text).WriteAll(lines))
	if *update {
		require.NoError(t, os.WriteFile("paper.csv", text.Bytes(), 0o666))
	} else if text.String() != paperFile {
		t.Errorf("paper.csv is not what the list of the paper's figures gives: -update writes it anew")
	}
}

// Every figure of the paper belongs to exactly one cell, which a lab with all networks and data
// measures.
func TestPaper(t *testing.T) {
	paper := ReadPaper()
	networks, all := map[string]*Network{}, &Dataset{classes: make([]string, 20)}
	for _, role := range []string{Main, Plain, Augmented, Rotated} {
		networks[role] = new(Network)
	}
	measured := map[[3]string]int{}
	for _, c := range (&Lab{Networks: networks, Data: map[string]*Dataset{Main: all, Onto: all}}).Cells(Tables(Plan{Shots: []int{1}})...) {
		measured[[3]string{c.Table.Name, c.Row.Key, c.Column.Key}]++
	}
	for _, f := range paper.Figures {
		if measured[[3]string{f.Table, f.Row, f.Column}] != 1 || f.Value <= 0 || f.Value >= 100 || PaperName(f.Data) != f.Data {
			t.Errorf("no cell measures %+v", f)
		}
		if found := paper.Find(f.Table, f.Row, f.Column, f.Data); found != f {
			t.Errorf("%+v is there twice", f)
		}
	}
	timed := maps.Collect(timedCells())
	for c := range paper.Times {
		if _, ok := timed[c]; !ok {
			t.Errorf("no cell measures %+v", c)
		}
	}
	if f := paper.Find("table7", "deepemd-grid", "5w1s", "CIFAR-FS"); f == nil || f.Value != 73.31 || f.Interval != 0.29 {
		t.Errorf("CIFAR-FS: %+v", f)
	}
	if f := paper.Find("table7", "euclidean", "5w5s", "tieredImageNet"); f == nil {
		t.Error("a figure that the paper contradicts is absent")
	}
	if ms := paper.Times[timedCell{"simplex", 5, 512}]; ms != 19 {
		t.Errorf("the simplex method's time: %g ms", ms)
	}
	if f := paper.Find("table2", "equal", "5w5s", "miniImageNet"); f != nil {
		t.Errorf("a figure that the paper does not have: %+v", f)
	}
}

func TestPaperName(t *testing.T) {
	for called, want := range map[string]string{
		"cifar100.zip cifar-fs.json": "CIFAR-FS", "FC100": "FC100", "tieredImageNet": "tieredImageNet",
		"CUB_200_2011 CUB-200-2011": "CUB", "tiny-imagenet.zip": "miniImageNet", "miniImageNet": "miniImageNet",
	} {
		if got := PaperName(called); got != want {
			t.Errorf("%s is %s, want %s", called, got, want)
		}
	}
}
