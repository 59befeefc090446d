package match

import (
	"errors"
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
)

// ErrRegions says that the nodes of a set do not know where in the picture they
// lie, such as features from a file of another program.
var ErrRegions = errors.New("nodes without regions")

// Explain matches two pictures that m, or a matcher with its weighting, has prepared,
// and explains the result: which region of one was matched with which region of the other.
// If the weighting merges nodes, the explanation is about merged nodes. It shares no memory
// with the matcher.
//
// # Errors
//
// An error that wraps [ErrRegions] for a set without regions, and those
// of MatchPrepared.
func (m *Matcher) Explain(query, support *Prepared) (*answer.Match, error) {
	for _, side := range []struct {
		name string
		set  *embed.Set
	}{{"query", query.Set()}, {"support", support.Set()}} {
		if len(side.set.Regions) != side.set.N {
			return nil, fmt.Errorf("match: %s: %w: embed the picture itself", side.name, ErrRegions)
		}
	}
	found, err := m.MatchPrepared(query, support)
	if err != nil {
		return nil, err
	}
	explained := &answer.Match{
		Score:       found.Score,
		Total:       float64(query.N()),
		Temperature: found.Temperature,
		From:        answer.NewSide(query.Set().Regions, found.QueryWeights),
		To:          answer.NewSide(support.Set().Regions, found.SupportWeights),
		Similarity:  slices.Clone(found.Similarity),
	}
	explained.SetFlow(found.Flow)
	return explained, nil
}
