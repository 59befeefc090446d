package evaluate

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/augment"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

func TestEvalDisturbed(t *testing.T) {
	dir := cmdtest.Pictures(t, 6)
	measure := func(args ...string) evaluation {
		t.Helper()
		stdout := require.Value(cmdtest.Run(append([]string{"eval", "--data", dir, "--way", "3", "--query", "2", "--episodes", "5", "--json"}, args...)...))(t)
		var got evaluation
		require.NoError(t, json.Unmarshal([]byte(stdout), &got))
		return got
	}
	plain, all := measure(), measure("--disturb", "all", "--strength", "0.8")
	if len(plain.Disturbed) != 0 || len(all.Disturbed) != len(augment.Disturbances()) || all.Accuracy != plain.Accuracy {
		t.Fatalf("undisturbed %+v\nall %+v", plain, all)
	}
	for i, d := range all.Disturbed {
		if d.Name != augment.DisturbanceNames()[i] || d.Strength != 0.8 || d.Accuracy < 0 || d.Accuracy > 1 {
			t.Errorf("number %d is %+v", i, d)
		}
	}
	// One alone is what it is among all, and no strength costs nothing.
	one := measure("--disturb", "low-light", "--strength", "0.8", "--resize", "90")
	if len(one.Disturbed) != 1 {
		t.Fatalf("%+v", one)
	}
	if again := measure("--disturb", "noise", "--strength", "0.8"); again.Disturbed[0] != all.Disturbed[2] {
		t.Errorf("noise alone is %+v, among all %+v", again.Disturbed[0], all.Disturbed[2])
	}
	if none := measure("--disturb", "noise", "--strength", "0"); none.Disturbed[0].Accuracy != plain.Accuracy || none.Disturbed[0].Change != 0 {
		t.Errorf("strength 0 gives %+v, undisturbed %g", none.Disturbed[0], plain.Accuracy)
	}
	table, err := cmdtest.Run("eval", "--data", dir, "--way", "3", "--query", "2", "--episodes", "2", "--disturb", "jpeg")
	if err != nil || !strings.Contains(table, "as they are") || !strings.Contains(table, "jpeg") {
		t.Errorf("the table: %v\n%s", err, table)
	}
	for want, args := range map[string][]string{
		"there are motion-blur": {"--disturb", "quake"},
		"want it from 0 to 1":   {"--disturb", "blur", "--strength", "1.5"},
		"goes with --disturb":   {"--strength", "0.5"},
		"does not go with":      {"--disturb", "blur", "--logits", "x.npy"},
	} {
		if _, err := cmdtest.Run(append([]string{"eval", "--data", dir, "--way", "3", "--query", "2"}, args...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want one that says %q", args, err, want)
		}
	}
}
