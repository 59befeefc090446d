package evaluate

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/openset"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/data"
)

func TestRunOpenFindsOutWhatWasNotTaught(t *testing.T) {
	// Classes are directions in space; what lies outside has directions of its own.
	r := rand.New(rand.NewPCG(3, 4))
	features := Features{}
	picture := func(class, number int) string {
		name := strconv.Itoa(class) + "/" + strconv.Itoa(number)
		set := &embed.Set{N: 2, C: 8, Regions: make([]embed.Region, 2)}
		for range set.N {
			for c := range set.C {
				v := 0.4 * r.NormFloat64()
				if c == class {
					v += 2
				}
				set.Data = append(set.Data, float32(v))
			}
		}
		features[name] = set
		return name
	}
	var episodes []data.Episode
	var strangers [][]string
	for e := range 12 {
		var episode data.Episode
		for i := range 3 * 4 {
			episode.Support = append(episode.Support, picture(i%3, 100*e+i))
		}
		for i := range 3 * 5 {
			episode.Query = append(episode.Query, picture(i%3, 100*e+50+i))
		}
		var others []string
		for i := range 15 {
			others = append(others, picture(3+i%4, 100*e+i))
		}
		episodes, strangers = append(episodes, episode), append(strangers, others)
	}
	open := Open{
		Way: 3, Strangers: strangers, Prior: openset.HeldOut,
		Classifier: func() fewshot.Classifier { return &fewshot.Prototype{} },
	}
	one := require.Value(RunOpen(context.Background(), features, episodes, open))(t)
	open.Threads = 1
	two := require.Value(RunOpen(context.Background(), features, episodes, open))(t)
	for i, c := range one.Candidates {
		if c != two.Candidates[i] {
			t.Errorf("%s depends on the number of threads: %+v, %+v", c.Name, c, two.Candidates[i])
		}
		if c.Name != "margin" && c.Name != "probability" && c.AUROC < 0.97 {
			t.Errorf("%s: AUROC %v on classes that lie far apart", c.Name, c.AUROC)
		}
	}
	if one.Rejected > 0.2 || one.Accepted > 0.2 {
		t.Errorf("%v of unknown pictures let in, %v of known ones turned away", one.Accepted, one.Rejected)
	}
	if math.Abs(one.StatedAccepted-one.Accepted) > 0.2 || math.Abs(one.StatedRejected-one.Rejected) > 0.2 {
		t.Errorf("stated are %v and %v, measured %v and %v", one.StatedAccepted, one.StatedRejected, one.Accepted, one.Rejected)
	}
	open.Strangers = strangers[:1]
	if _, err := RunOpen(context.Background(), features, episodes, open); err == nil {
		t.Error("episodes without strangers were taken")
	}
}
