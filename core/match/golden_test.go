package match

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/sbinet/npyio/npz"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/solver"
)

// The reference's raw weights and similarities of one pair must give its normalized weights and
// cost.
func TestReferencePair(t *testing.T) {
	var reference struct {
		Pair struct {
			Cost float64 `json:"emd_cost"`
		} `json:"pair"`
	}
	raw := require.Value(os.ReadFile(require.Shared(t, "reference/reference.json")))(t)
	require.NoError(t, json.Unmarshal(raw, &reference))
	read := func(name string) []float64 {
		var values []float32
		f := require.Value(npz.Open(require.Shared(t, "reference/reference.npz")))(t)
		defer f.Close()
		if err := f.Read(name, &values); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		wide := make([]float64, len(values))
		for i, v := range values {
			wide[i] = float64(v)
		}
		return wide
	}
	supply, demand := read("pair_weight_query.npy"), read("pair_weight_support.npy")
	similarity, flow := read("pair_similarity.npy"), read("pair_flow.npy")
	n := len(supply)
	_, finite := Normalize(supply, float64(n))
	_, also := Normalize(demand, float64(n))
	if !finite || !also {
		t.Fatal("weights do not normalize")
	}
	cost := make([]float64, n*n)
	for i, s := range similarity {
		cost[i] = 1 - s
	}
	var simplex solver.Simplex
	solution := require.Value(simplex.Solve(&solver.Problem{Rows: n, Cols: n, Cost: cost, Supply: supply, Demand: demand}))(t)
	if got := solution.Objective / float64(n); !(math.Abs(got-reference.Pair.Cost) <= 1e-6) {
		t.Errorf("cost %v, the reference has %v", got, reference.Pair.Cost)
	}
	if got, want := weightedSum(similarity, solution.Flow), weightedSum(similarity, flow); !(math.Abs(got-want) <= 1e-4) {
		t.Errorf("the flow collects %v, the reference's %v", got, want)
	}
}
