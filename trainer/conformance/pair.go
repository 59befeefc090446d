package conformance

import (
	"deepemd/core/embed"
	"deepemd/core/match"
)

// pair compares the parts of one match at 84 pixels: the raw node weights, the
// similarities, and the score (flows themselves may differ where costs tie).
func (r *reference) pair() ([]Check, error) {
	var sets [2]*match.Prepared
	for i, name := range []string{r.list.Pair.Query, r.list.Pair.Support} {
		picture, err := r.data.Image(name)
		if err != nil {
			return nil, err
		}
		embedded, err := embed.FCN{}.Embed(r.net, r.preprocess(84, 92), picture)
		if err != nil {
			return nil, err
		}
		if sets[i], err = match.Prepare(embedded[0]); err != nil {
			return nil, err
		}
	}
	query, support := sets[0], sets[1]
	var matcher match.Matcher
	got, err := matcher.MatchPrepared(query, support)
	if err != nil {
		return nil, err
	}

	golden := map[string][]float64{}
	for _, name := range []string{"weight_query", "weight_support", "similarity", "flow"} {
		values, err := r.array("pair_" + name)
		if err != nil {
			return nil, err
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
		score += match.Temperature / float64(query.N()) * s * golden["flow"][i]
	}
	return []Check{
		compare(r.name+": node weights of a pair", Relative, 1e-3, weights, append(golden["weight_query"], golden["weight_support"]...)),
		compare(r.name+": similarities of a pair", Absolute, 1e-3, got.Similarity, golden["similarity"]),
		compare(r.name+": score of a pair", Absolute, 2e-3, []float64{got.Score}, []float64{score}),
	}, nil
}
