package evaluate

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

func TestEvalRetrieval(t *testing.T) {
	net, dir := cmdtest.Weights(t, nil), cmdtest.Pictures(t, 5)
	eval := func(args ...string) retrievalOutcome {
		t.Helper()
		printed := require.Value(cmdtest.Run(append([]string{"eval", "retrieval", "--candidates", "0,4,all", "--at", "1,3", "--json"}, args...)...))(t)
		var o retrievalOutcome
		require.NoError(t, json.Unmarshal([]byte(printed), &o))
		for i := range o.Rows {
			o.Rows[i].MatchMs = 0 // no two times are the same
		}
		return o
	}
	all := eval("--data", dir, "--weights", net)
	if all.Pictures != 15 || all.Queries != 15 || all.Classes != 3 || len(all.Rows) != 3 || all.Rows[2].Candidates != "all" || all.Network != "random" {
		t.Errorf("%+v", all)
	}
	for _, row := range all.Rows { // stripes and chessboards are easy
		if len(row.Recall) != 2 || row.Recall[1] < row.Recall[0] || row.Recall[1] < 0.9 || row.RPrecision < 0.5 || row.MAPR > row.RPrecision {
			t.Errorf("%+v", row)
		}
	}
	if kept := all.Rows; kept[0].Kept != nil || *kept[1].Kept < 0.3 || *kept[2].Kept < 1-1e-9 {
		t.Errorf("kept %v", kept)
	}
	if few := eval("--data", dir, "--weights", net, "--each", "2", "--seed", "3"); few.Pictures != 6 || few.Queries != 6 {
		t.Errorf("%+v", few)
	}
	array := filepath.Join(t.TempDir(), "f.npy")
	require.Value(cmdtest.Run("features", "--data", dir, "--weights", net, "--out", array))(t)
	stored := eval("--features", array)
	if a, b := fmt.Sprintf("%+v", all.Rows[0]), fmt.Sprintf("%+v", stored.Rows[0]); a != b || stored.Data != filepath.Base(dir) {
		t.Errorf("of features: %s, of pictures: %s", b, a)
	}
	table := require.Value(cmdtest.Run("eval", "retrieval", "--features", array, "--solver", "sinkhorn"))(t)
	for _, want := range []string{"R@8", "MAP@R", "15 queries among 15 pictures of 3 classes", "flows by sinkhorn"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
}

func TestEvalRetrievalErrors(t *testing.T) {
	net, dir := cmdtest.Weights(t, nil), cmdtest.Pictures(t, 2)
	tests := []struct {
		args []string
		want string
	}{
		{nil, "--data is missing"},
		{[]string{"--data", dir, "--each", "3"}, "--each 3: class across has 2 pictures"},
		{[]string{"--data", dir, "--each", "1"}, "--each 1: want at least two"},
		{[]string{"--data", dir, "--set", "val"}, "--set goes with --split"},
		{[]string{"--data", dir, "--candidates", "few"}, `--candidates "few"`},
		{[]string{"--data", dir, "--at", "0"}, "--at: want numbers"},
		{[]string{"--data", dir, "--features", "x.npy"}, "--data does not go with --features"},
		{[]string{"--data", cmdtest.Pictures(t, 1)}, "nothing to find"},
		{[]string{"--data", dir, "more"}, "unknown command"},
	}
	for _, test := range tests {
		args := []string{"eval", "retrieval"}
		if len(test.args) < 4 || test.args[2] != "--features" {
			args = append(args, "--weights", net)
		}
		_, err := cmdtest.Run(append(args, test.args...)...)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: error %v, want one that says %q", test.args, err, test.want)
		}
	}
}
