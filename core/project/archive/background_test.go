package archive_test

import (
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/require"
)

// A background class is saved and opened. Readers that do not know background classes must reject
// the file.
func TestNothingIsKept(t *testing.T) {
	l := newLearner(t, &encoder{}, learner.Options{Digest: "abc"})
	teach(t, l, 3, 3)
	about := project.Manifest{Name: "Scene", Requires: nil}
	if got := saved(t, l, about).Manifest.Requires; got != nil {
		t.Errorf("requires %v without a class of nothing", got)
	}
	for seed := range 3 {
		require.NoError(t, l.AddBackground(texture(30+seed)))
	}
	file := saved(t, l, about)
	m := file.Manifest
	if !m.Classes[2].Nothing || m.Classes[0].Nothing || !slices.Equal(m.Requires, []string{project.RequiresNothing}) {
		t.Errorf("classes %+v, requires %v", m.Classes, m.Requires)
	}
	again := require.Value(archive.Open(file, newLearner(t, &encoder{}, learner.Options{Digest: "abc"})))(t)
	if c := again.Classes(); !c[2].Background || len(c[2].Examples) != 3 || c[1].Background {
		t.Errorf("opened %+v", c)
	}
	sameAnswers(t, again, l)
	require.NoError(t, again.RemoveClass(again.Classes()[2].ID))
	if got := saved(t, again, m).Manifest.Requires; len(got) != 0 {
		t.Errorf("requires %v though the class of nothing is gone", got)
	}
}
