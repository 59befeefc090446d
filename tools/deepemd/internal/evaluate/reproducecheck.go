package evaluate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/tools/deepemd/internal/reproduce"
)

// check returns an error for invalid flags before any work is done.
func (o *reproduceOptions) check(tables []*reproduce.Table) error {
	switch {
	case o.data == "" && slices.ContainsFunc(tables, accuracy):
		return errors.New("--data is missing: give the zip archive or folder of images by class")
	case o.out == "":
		return errors.New("--out is missing: give a folder for the report")
	case o.onto == "" && !slices.ContainsFunc(tables, inDomain):
		return errors.New("--onto is missing: every row of these tables needs the images of another domain")
	case o.ontoSplit != "" && o.onto == "":
		return errors.New("--onto-split requires --onto: give the images too")
	case o.plan.Query < 1:
		return fmt.Errorf("--query %d: want at least one", o.plan.Query)
	case o.plan.CropPictures < 0:
		return fmt.Errorf("--crop-pictures %d: want a number of images, or 0 for all", o.plan.CropPictures)
	case len(o.plan.Shots) == 0 || slices.Min(o.plan.Shots) < 1:
		return errors.New("--shots: want numbers of examples, such as 1,5,10")
	case o.anew && o.time:
		return errors.New("--anew and --times cannot be combined: remove one of the two")
	}
	const way, least = 5, 2 // an interval needs two episodes
	shot := slices.Max(o.plan.Shots)
	return cmp.Or(
		checkEpisodes("--episodes", o.plan.Episodes, least, way, shot, o.plan.Query),
		checkEpisodes("--one-shot-episodes", o.plan.OneShotEpisodes, least, way, 1, o.plan.Query),
		checkEpisodes("--shot-episodes", o.plan.LayerEpisodes, least, way, shot, o.plan.Query),
		o.network.Check(),
	)
}

// inDomain reports whether a table has a row without images of another domain, or only times.
func inDomain(t *reproduce.Table) bool {
	return t.Layer || slices.ContainsFunc(t.Rows, func(r reproduce.Row) bool { return r.Data != reproduce.Onto })
}

// accuracy reports whether a table has accuracies instead of times.
func accuracy(t *reproduce.Table) bool { return !t.Layer }
