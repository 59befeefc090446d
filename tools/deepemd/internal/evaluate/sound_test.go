package evaluate

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

func TestEvalSounds(t *testing.T) {
	stdout := require.Value(cmdtest.Run("eval", "--sound", "--data", cmdtest.Chirps(t, 4), "--apart", "_", "--way", "3", "--shot", "2", "--query", "3", "--episodes", "20", "--json"))(t)
	var got evaluation
	require.NoError(t, json.Unmarshal([]byte(stdout), &got))
	if !strings.Contains(got.Source, "4 groups") || len(got.Baselines) != 2 {
		t.Fatalf("%s", stdout)
	}
	if spectrum := got.Baselines[0]; got.Accuracy < 0.9 || spectrum.Accuracy > got.Accuracy {
		t.Errorf("accuracy %.2f, %s %.2f: want rising, falling and level tones told apart by the network", got.Accuracy, spectrum.Name, spectrum.Accuracy)
	}
	if _, err := cmdtest.Run("eval", "--sound", "--data", cmdtest.Chirps(t, 4), "--apart", "-", "--way", "3"); err == nil || !strings.Contains(err.Error(), "--apart") {
		t.Errorf("%v, want a separator refused that no name has", err)
	}
}
