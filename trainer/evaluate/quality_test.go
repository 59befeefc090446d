package evaluate_test

import (
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/augment"
	"github.com/deepemd/deepemd/internal/golden"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/data"
)

// TestQualityTellsGoodPicturesFromSpoiltOnes checks the thresholds of image quality on 600
// photographs of Tiny ImageNet, before and after disturbances.
func TestQualityTellsGoodPicturesFromSpoiltOnes(t *testing.T) {
	set := require.Value(data.OpenSplit(golden.Path(t, "datasets/tiny-imagenet.zip"), golden.Path(t, "datasets/tiny-imagenet.json")))(t)
	defer set.Close()
	var pictures []*imaging.Image
	var classes []int
	for c, class := range set.Classes()[:60] {
		for _, p := range set.Pictures(class)[:10] {
			img := require.Value(set.Image(p.Name))(t)
			pictures, classes = append(pictures, img), append(classes, c)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	disturbed := func(name string, strength float64, every int) []imaging.Measures {
		kind := require.Value(augment.ParseDisturbance(name))(t)
		var all []imaging.Measures
		for i := 0; i < len(pictures); i += every {
			all = append(all, imaging.Measure(kind.Apply(pictures[i], strength, r)))
		}
		return all
	}
	share := func(measures []imaging.Measures, problem imaging.Problem) float64 {
		n := 0.
		for _, m := range measures {
			if m.Problem() == problem {
				n++
			}
		}
		return n / float64(len(measures))
	}
	plain := disturbed("blur", 0, 1)
	good, dark, soft := share(plain, imaging.Good), share(disturbed("low-light", 1, 4), imaging.Dark), share(disturbed("blur", 0.5, 4), imaging.Blurred)
	t.Logf("good: %.1f%% of photographs; dark: %.1f%% in low light; blurred: %.1f%% out of focus", 100*good, 100*dark, 100*soft)
	if good < 0.98 {
		t.Errorf("%.1f%% of photographs are good, want 98%% at least", 100*good)
	}
	if dark < 0.75 || soft < 0.85 {
		t.Errorf("found out: %.1f%% of dark and %.1f%% of blurred pictures, want 75%% and 85%% at least", 100*dark, 100*soft)
	}

	pairs, alike := 0, 0
	for i := range plain {
		for j := range i {
			if classes[i] == classes[j] {
				pairs++
				if plain[i].Alike(plain[j]) >= imaging.TooAlike {
					alike++
				}
			}
		}
	}
	same := 0
	noisy := disturbed("noise", 0.25, 4)
	for i, m := range noisy {
		if m.Alike(plain[4*i]) >= imaging.TooAlike {
			same++
		}
	}
	t.Logf("all but the same: %d of %d pairs of a class, %d of %d pictures with noise beside themselves", alike, pairs, same, len(noisy))
	if alike*500 > pairs {
		t.Errorf("%d of %d different pictures count as the same", alike, pairs)
	}
	if same*10 < 9*len(noisy) {
		t.Errorf("%d of %d pictures are recognised with a little noise", same, len(noisy))
	}
}
