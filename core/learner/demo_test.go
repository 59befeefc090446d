package learner_test

import (
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network/resnet12photo"
	"github.com/deepemd/deepemd/internal/require"
)

// Of the studio's demo pictures, the default model knows the cats and bananas that it was taught, and
// rejects at least half of the apples and of the oranges, which lie on the same table.
func TestDemoHasUnknownFruit(t *testing.T) {
	l := require.Value(learner.Open(resnet12photo.Weights()))(t)
	const pictures = 5
	show := func(name string, i int) learner.Picture {
		return picture(fmt.Sprintf("../../web/static/web/demo/%s-%d.jpg", name, i+1))
	}
	for _, name := range []string{"cat", "banana"} {
		for i := range pictures {
			require.NoError(t, l.Add(name, show(name, i)))
		}
	}
	model := l.Model()
	for name, atLeast := range map[string]int{"cat": 0, "banana": 0, "apple": 3, "orange": 3} {
		unknown := 0
		for i := range pictures {
			a := require.Value(model.Classify(show(name, i)))(t)
			if a.Unknown() {
				unknown++
			}
			t.Logf("%s %d: %s %.3f, known with %.3f", name, i+1, a.Scores[0].Label, a.Scores[0].Score, a.Verdict.Known)
			if atLeast > 0 && a.Scores[0].Score > 0.9 {
				t.Errorf("picture %d of a %s is a %s with probability %v", i+1, name, a.Scores[0].Label, a.Scores[0].Score)
			}
		}
		if unknown < atLeast || atLeast == 0 && unknown > 0 {
			t.Errorf("%d of %d pictures of a %s are unknown, want at least %d, and none of the taught", unknown, pictures, name, atLeast)
		}
	}
}
