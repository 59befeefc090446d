package conformance

import (
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
)

// comparePair compares the parts of one match: the raw node weights, the
// similarities, and the score (flows themselves may differ where costs tie).
func (r *reference) comparePair(report func(Check)) error {
	var sets [2]*match.Prepared
	for i, name := range []string{r.list.Pair.Query, r.list.Pair.Support} {
		picture, err := r.data.Image(name)
		if err != nil {
			return err
		}
		embedded, err := embed.FCN{}.Embed(r.network, r.preprocess(r.pieces), picture)
		if err != nil {
			return err
		}
		if sets[i], err = match.Prepare(embedded[0]); err != nil {
			return err
		}
	}
	query, support := sets[0], sets[1]
	var matcher match.Matcher
	got, err := matcher.MatchPrepared(query, support)
	if err != nil {
		return err
	}

	golden := map[string][]float64{}
	for _, name := range []string{"weight_query", "weight_support", "similarity", "flow"} {
		values, err := r.array("pair_" + name)
		if err != nil {
			return err
		}
		for _, v := range values {
			golden[name] = append(golden[name], float64(v))
		}
	}
	weights := make([]float64, query.N()+support.N())
	match.CrossReference{}.Weigh(weights[:query.N()], query, support)
	match.CrossReference{}.Weigh(weights[query.N():], support, query)
	var score float64
	for i, s := range golden["similarity"] {
		score += method.Temperature / float64(query.N()) * s * golden["flow"][i]
	}
	report(compare(r.name+": node weights of a pair", Relative, 1e-3, weights, append(golden["weight_query"], golden["weight_support"]...)))
	report(compare(r.name+": similarities of a pair", Absolute, 1e-3, got.Similarity, golden["similarity"]))
	report(compare(r.name+": score of a pair", Absolute, 2e-3, []float64{got.Score}, []float64{score}))
	return nil
}
