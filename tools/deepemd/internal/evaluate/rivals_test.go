package evaluate

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// Rivals are measured on the same episodes: an array is no better than itself, and
// other features differ by what they give on their own.
func TestRivals(t *testing.T) {
	dir, in, out := cmdtest.Pictures(t, 6), cmdtest.Weights(t, nil), t.TempDir()
	at := func(name string) string { return filepath.Join(out, name+".npy") }
	for name, flags := range map[string][]string{
		"plain": {"--views", "plain"}, "mirror": {"--views", "plain,mirror"}, "crops": {"--embedder", "sampling", "--patches", "3"},
		"few": {"--each", "4", "--seed", "2"},
	} {
		args := append([]string{"features", "--data", dir, "--weights", in, "--size", "32", "--out", at(name)}, flags...)
		if printed, err := cmdtest.Run(args...); err != nil {
			t.Fatalf("%s: %v, %s", name, err, printed)
		}
	}
	eval := func(features string, more ...string) (e evaluation) {
		t.Helper()
		args := []string{"eval", "--features", at(features), "--way", "3", "--query", "3", "--episodes", "8", "--classifier", "prototype,cosine", "--json"}
		printed := require.Value(cmdtest.Run(append(args, more...)...))(t)
		require.NoError(t, json.Unmarshal([]byte(printed), &e))
		return e
	}
	e := eval("plain", "--rival", at("plain")+","+at("mirror"), "--rival", at("plain")+"+"+at("crops"))
	if len(e.Rivals) != 3 {
		t.Fatalf("%+v", e.Rivals)
	}
	if own := e.Rivals[0].Classifiers; own[0].Difference != 0 || own[1].Difference != 0 || own[1].Accuracy != e.Classifiers[1].Accuracy {
		t.Errorf("an array differs from itself: %+v", own)
	}
	if same, other := e.Rivals[0].SameClass, e.Rivals[1].SameClass; same[0] != 1 || same[1] != 1 || !(other[0] > 0 && other[0] < 1) {
		t.Errorf("the same class in %v of the answers with the same features, in %v with others", same, other)
	}
	alone := eval("mirror")
	for i, m := range e.Rivals[1].Classifiers {
		if want := alone.Classifiers[i].Accuracy; m.Accuracy != want || math.Abs(m.Difference-(want-e.Classifiers[i].Accuracy)) > 1e-9 {
			t.Errorf("%s: %+v, alone %g", m.Name, m, want)
		}
	}
	if joined := e.Rivals[2]; joined.Features != "plain.npy+crops.npy" || joined.Nodes != e.Rivals[0].Nodes+3 {
		t.Errorf("joined: %+v", joined)
	}
	table, err := cmdtest.Run("eval", "--features", at("plain"), "--way", "3", "--query", "3", "--episodes", "2", "--rival", at("mirror"))
	if err != nil || !strings.Contains(table, "to plain.npy") || !strings.Contains(table, "same class") || !strings.Contains(table, "mirror.npy  ") {
		t.Errorf("printed %s, %v", table, err)
	}
	for want, args := range map[string][]string{
		"--rival goes with --features":        {"--data", dir, "--rival", at("plain")},
		"write both of the same pictures":     {"--features", at("plain"), "--rival", at("few")},
		"several with + between them":         {"--features", at("plain"), "--rival", at("mirror") + "+"},
		"gone.npy":                            {"--features", at("plain"), "--rival", at("gone")},
		"--rival goes with --features and wi": {"--features", at("plain"), "--unknown", "--rival", at("mirror")},
	} {
		if _, err := cmdtest.Run(append([]string{"eval", "--way", "2", "--query", "3", "--episodes", "9"}, args...)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want one that says %q", args, err, want)
		}
	}
	for want, flags := range map[string][]string{
		`view "left"`:                      {"--views", "left"},
		"--views goes with --embedder fcn": {"--views", "plain", "--embedder", "grid"},
		"--each 7: class":                  {"--each", "7"},
		"--each -1: want":                  {"--each", "-1"},
	} {
		args := append([]string{"features", "--data", dir, "--weights", in, "--out", at("other")}, flags...)
		if _, err := cmdtest.Run(args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want one that says %q", flags, err, want)
		}
	}
}
