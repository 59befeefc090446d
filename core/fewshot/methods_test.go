package fewshot_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/fewshot/baseline"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

// TestClassifiersAsPyTorch compares every classifier with PyTorch and SciPy on small problems
// with unbalanced classes, one of them with sets of different sizes; see testdata/methods.py.
func TestClassifiersAsPyTorch(t *testing.T) {
	var problems []struct {
		Channels int
		Order    [][]int
		Query    []float32
		Classes  [][][]float32
		Scores   map[string][]float64
	}
	raw := require.Value(os.ReadFile("testdata/methods.json"))(t)
	require.NoError(t, json.Unmarshal(raw, &problems))
	compared := map[string]bool{}
	for i, p := range problems {
		set := func(data []float32) *embed.Set {
			return &embed.Set{N: len(data) / p.Channels, C: p.Channels, Data: data}
		}
		var classes []fewshot.Class
		for _, examples := range p.Classes {
			var class fewshot.Class
			for _, data := range examples {
				class.Support = append(class.Support, set(data))
			}
			classes = append(classes, class)
		}
		nodes := fewshot.Descent{Rate: 0.5, Momentum: 0.9, Dampening: 0.9, Passes: len(p.Order), Order: p.Order}
		heads := nodes
		heads.Rate, heads.Decay = 0.1, 0.001
		given := map[string]fewshot.Classifier{
			"sfc":         &fewshot.SFC{Descent: nodes},
			"linear head": baseline.LinearHead(heads),
			"cosine head": baseline.CosineHead(method.Temperature, heads),
		}
		for name, want := range p.Scores {
			classifier, ok := given[name]
			if !ok {
				classifier = methods[name]()
			}
			got := scores(t, classifier, classes, set(p.Query))
			for c, w := range want {
				if !(math.Abs(got[c]-w) <= 2e-5*(1+math.Abs(w))) {
					t.Errorf("problem %d, %s: scores %v, PyTorch has %v", i, name, got, want)
					break
				}
			}
			compared[name] = true
		}
	}
	for name := range methods {
		if !compared[name] {
			t.Errorf("%s is not among testdata/methods.json", name)
		}
	}
}
