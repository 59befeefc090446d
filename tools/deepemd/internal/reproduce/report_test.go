package reproduce

import (
	"bytes"
	"context"
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

func TestReport(t *testing.T) {
	folder := t.TempDir()
	l := lab(t, folder)
	l.Data[Main].Paper = "miniImageNet"
	paper := ReadPaper()
	r := &Report{Lab: l, Paper: paper, Folder: folder, Command: func(t *Table) string { return "deepemd reproduce " + t.Name }, Missing: map[string]string{Plain: "--weights-plain", Augmented: "--weights-augmented", Onto: "--data-onto"}}
	tables := Tables(l.Plan)
	l.Commit = "0123456789ab"
	for _, name := range []string{"table1", "table2", "table4", "table5", "kshot"} {
		some := table(t, l, name)
		cells := l.Cells(some)
		if name != "table1" && name != "kshot" { // a few cells are enough
			cells = slices.DeleteFunc(cells, func(c Cell) bool {
				return c.Column != fiveWayOne || !strings.Contains("fcn-with mean-shift:0.001", c.Row.Key)
			})
		}
		require.NoError(t, l.Measure(context.Background(), cells))
		require.NoError(t, r.Write(some))
	}
	require.NoError(t, r.Index(tables))
	read := func(name string) string {
		raw := require.Value(os.ReadFile(filepath.Join(folder, name)))(t)
		return string(raw)
	}
	index := read("README.md")
	for _, want := range []string{
		"Table 1", "| 65.91 |", "deepemd reproduce table1", "SHA-256 sum1", "6 episodes with 2 queries per class, seed 1", "measured 2026-01-02 at commit 0123456789ab",
		"| 10-way 1-shot, paper | here | difference | 5-way 5-shot | clusters, paper | here |", "| 25.0 | 25.0 | |",
		"Does the paper's ranking hold here?", "Not measured without --weights-plain: DeepEMD-FCN; DeepEMD-Grid; DeepEMD-Sampling.",
		"Not measured without --weights-augmented: DeepEMD-FCN, rotation as augmentation; ", "Not measured without --data-onto: Prototypes, Euclidean (ProtoNet); ", "kshot.svg", "3 episodes for the structured fully connected layer with",
	} {
		if !strings.Contains(index, want) {
			t.Errorf("README.md lacks %q:\n%s", want, index)
		}
	}
	if strings.Contains(index, "Table 3") {
		t.Error("README.md has a table that was not measured")
	}
	verdicts := l.verdicts(table(t, l, "kshot"))
	if len(verdicts) != 7 || slices.ContainsFunc(verdicts, func(v Verdict) bool { return v.Column != "5w2s" }) {
		t.Errorf("verdicts %v, want one of two shots for each other method", verdicts)
	}
	if err := xml.Unmarshal([]byte(read("kshot.svg")), new(struct{})); err != nil {
		t.Error(err)
	}
	l.Store.Times = []*Timing{{timedCell: timedCell{"simplex", 5, 256}}}
	others := len(l.Store.Outcomes) - len(l.Cells(tables[0]))
	if err := l.Forget(tables[:1]); err != nil || others == 0 || len(l.Store.Outcomes) != others || len(l.Store.Times) != 1 {
		t.Errorf("%d outcomes of %d and %d times are left, error %v", len(l.Store.Outcomes), others, len(l.Store.Times), err)
	}
	if err := l.Forget([]*Table{table(t, l, "table6")}); err != nil || len(l.Store.Outcomes) != others || len(l.Store.Times) != 0 {
		t.Errorf("without times: %d outcomes and %d times are left, error %v", len(l.Store.Outcomes), len(l.Store.Times), err)
	}
}

// The figure can be drawn without results, and with a single number of shots.
func TestFigureOfLittle(t *testing.T) {
	l := lab(t, t.TempDir())
	l.Plan.Shots = []int{1}
	r := &Report{Lab: l, Paper: new(Paper)}
	figure := table(t, l, "kshot")
	for range 2 {
		var out bytes.Buffer
		require.NoError(t, r.draw(&out, figure))
		require.NoError(t, xml.Unmarshal(out.Bytes(), new(struct{})))
		require.NoError(t, l.Measure(context.Background(), l.Cells(figure)[1:2]))
	}
}

// The table of times compares with the paper's, and states the date of the newest.
func TestReportOfTimes(t *testing.T) {
	l := lab(t, t.TempDir())
	l.Store.Times = []*Timing{
		{timedCell: timedCell{"simplex", 3, 256}, ForwardMS: 2, Date: "2026-01-04", Commit: "abc"},
		{timedCell: timedCell{"interior-l2", 5, 512}, ForwardMS: 20, BackwardMS: 5, Date: "2026-01-03"},
	}
	r := &Report{Lab: l, Paper: ReadPaper()}
	var text strings.Builder
	r.writeTimes(&text)
	for _, want := range []string{
		"| Simplex, inference | 3×3 | 256 | ", " | 2.00 | ", "| Interior point, L2 | 5×5 | 512 | 8638 | 20.0 | 432 | 5.00 |",
		"Last measured 2026-01-04 at commit abc.",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, text.String())
		}
	}
}

func TestTimings(t *testing.T) {
	for _, layer := range timedLayers {
		timing := &Timing{timedCell: timedCell{layer.key, 2, 8}}
		if err := timing.measure(layer); err != nil || timing.ForwardMS <= 0 || (timing.BackwardMS > 0) != (layer.make != nil) {
			t.Errorf("%s: %+v, error %v", layer.key, timing, err)
		}
	}
}
