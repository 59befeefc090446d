package evaluate

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// TestEvalUnknown: classes that lie apart are told from what was not taught, whatever
// is asked for that makes no sense is refused with the remedy.
func TestEvalUnknown(t *testing.T) {
	const classes, each = 4, 6
	f := filepath.Join(t.TempDir(), "f.npy")
	features := tensor.New(classes*each, 2, classes)
	var list struct {
		Names   []string `json:"names"`
		Classes []string `json:"classes"`
	}
	for i := range classes * each { // a channel stands out for each class
		for node := range 2 {
			features.Row(i)[classes*node+i%classes] = 4
			features.Row(i)[classes*node+(i+i/classes)%classes] += float32(1+node) / 4
		}
		list.Names = append(list.Names, fmt.Sprint(i))
		list.Classes = append(list.Classes, fmt.Sprint("class", i%classes))
	}
	cmdtest.WriteNPY(t, f, features)
	text := require.Value(json.Marshal(list))(t)
	cmdtest.WriteText(t, arrays.ListPath(f), string(text))
	args := []string{"eval", "--features", f, "--way", "2", "--shot", "3", "--query", "3", "--episodes", "8", "--unknown"}

	stdout := require.Value(cmdtest.Run(append(args, "--json")...))(t)
	var e openEvaluation
	require.NoError(t, json.Unmarshal([]byte(stdout), &e))
	if e.Episodes != 8 || e.Known != 6 || e.Unknown != 6 || len(e.Scores) == 0 || e.Scores[0].Name != "calibrated" {
		t.Errorf("%+v", e)
	}
	if e.Scores[0].AUROC != 1 || e.Balanced.FalseAccept != 0 {
		t.Errorf("of classes that lie apart the AUROC is %v and %v of unknown pictures are let in", e.Scores[0].AUROC, e.Balanced.FalseAccept)
	}
	if printed, err := cmdtest.Run(args...); err != nil || !strings.Contains(printed, "calibrated   100.00% ± 0.00%") {
		t.Errorf("printed %q, %v", printed, err)
	}
	// What the network has learned may be told by features, of as many channels.
	if printed, err := cmdtest.Run(append(args, "--cohort", f)...); err != nil || !strings.Contains(printed, "calibrated   100.00% ± 0.00%") {
		t.Errorf("with a cohort: printed %q, %v", printed, err)
	}
	narrow := filepath.Join(t.TempDir(), "narrow.npy")
	three := tensor.New(1, 2, classes-1)
	for i := range three.Data {
		three.Data[i] = float32(i)
	}
	cmdtest.WriteNPY(t, narrow, three)
	cmdtest.WriteText(t, arrays.ListPath(narrow), `{"names": ["a"], "classes": ["a"]}`)
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{[]string{"--cohort", narrow}, "features of 3 channels, want 4"},
		{[]string{"--cohort", f + "x"}, "is the path right?"},
		{[]string{"--unknown=false", "--cohort", f}, "--cohort goes with --unknown"},
		{[]string{"--classifier", "linear-head"}, "takes one --classifier that needs no training"},
		{[]string{"--classifier", "prototype,nearest"}, "takes one --classifier"},
		{[]string{"--logits", filepath.Join(t.TempDir(), "l.npy")}, "--logits does not go with --unknown"},
		{[]string{"--way", "3"}, "1 classes are left outside an episode, 3 are wanted"},
	} {
		if _, err := cmdtest.Run(append(args, c.flags...)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want one that says %q", c.flags, err, c.want)
		}
	}
}
