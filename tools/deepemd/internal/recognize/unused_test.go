package recognize

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// TestUnusedSettings: verbs without a classifier refuse the settings of --method that they do not use.
func TestUnusedSettings(t *testing.T) {
	net, dir, x := cmdtest.Weights(t, nil), cmdtest.Pictures(t, 1), filepath.Join(t.TempDir(), "x.index")
	require.Value(cmdtest.Run("index", dir, "--weights", net, "--out", x))(t)
	picture, ids := filepath.Join(dir, "chess", "0.png"), filepath.Join(t.TempDir(), "ids.json")
	cmdtest.WriteText(t, ids, "[0]")
	search, rerank := []string{"search", x, picture, "--weights", net}, []string{"rerank", x, picture, "--weights", net, "--candidates", ids}
	explain := []string{"explain", picture, picture, "--weights", net, "--json"}
	for _, c := range []struct {
		args         []string
		method, want string
	}{
		{search, "embedder=sampling", "embedder"}, {search, "solver=sinkhorn:0.02 classifier=sfc", "classifier"}, {search, "weighting=equal", ""},
		{rerank, "embedder=sampling patches=4", "embedder"}, {rerank, "strangers=off", "strangers"}, {rerank, "solver=sinkhorn:0.02", ""},
		{explain, "balance=off", "balance"}, {explain, "embedder=grid grid=2 weighting=equal", ""},
	} {
		_, err := cmdtest.Run(append(c.args[:len(c.args):len(c.args)], "--method", c.method)...)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), "does not use "+c.want+": leave it out")) {
			t.Errorf("%s with %s: error %v, want one about %q", c.args[0], c.method, err, c.want)
		}
	}
}
