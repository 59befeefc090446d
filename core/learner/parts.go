package learner

import (
	"cmp"
	"maps"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/fewshot/baseline"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/solver"
)

// AllParts returns a kit with every part.
func AllParts() Kit {
	k := CommonParts()
	k.Weightings[method.KMeans] = func(clusters float64) match.Weighting { return match.KMeans{K: int(clusters)} }
	k.Weightings[method.MeanShift] = func(bandwidth float64) match.Weighting { return match.MeanShift{Bandwidth: bandwidth} }
	k.Solvers[method.Sinkhorn] = func(strength float64) match.Solver {
		return &solver.Sinkhorn{Strength: cmp.Or(strength, solver.Strength)}
	}
	k.Solvers[method.Interior] = func(strength float64) match.Solver {
		return &solver.Interior{Epsilon: cmp.Or(strength, solver.Epsilon)}
	}
	maps.Copy(k.Classifiers, map[string]func(Settings) fewshot.Classifier{
		method.SFC: func(s Settings) fewshot.Classifier {
			return &fewshot.SFC{Matcher: s.Matcher, Rate: s.Rate, Descent: s.descent()}
		},
		"ridge-head": func(Settings) fewshot.Classifier { return &fewshot.RidgeHead{} },
		"euclidean":  func(Settings) fewshot.Classifier { return baseline.Euclidean() },
		"matching":   func(s Settings) fewshot.Classifier { return baseline.Matching(s.Matcher.Temperature) },
		"cosine-head": func(s Settings) fewshot.Classifier {
			return baseline.CosineHead(s.Matcher.Temperature, s.descent())
		},
		"linear-head": func(s Settings) fewshot.Classifier { return baseline.LinearHead(s.descent()) },
		"dn4":         func(s Settings) fewshot.Classifier { return baseline.LocalNearest(s.Matcher.Temperature) },
		"prediction-fusion": func(s Settings) fewshot.Classifier {
			return baseline.PredictionFusion(s.Matcher.Temperature)
		},
	})
	return k
}

// CommonParts returns the kit of a page: every embedder, and the classifiers, weights and
// solvers that are fast enough for live answers.
func CommonParts() Kit {
	return Kit{
		Embedders: map[string]func(method.Embedder) embed.Embedder{
			method.FCN:      func(e method.Embedder) embed.Embedder { return embed.FCN{Pyramid: e.Pyramid} },
			method.Grid:     func(e method.Embedder) embed.Embedder { return embed.Grid{Levels: e.Grid, Ratio: e.Ratio} },
			method.Sampling: func(e method.Embedder) embed.Embedder { return embed.Sampling{Patches: e.Patches, Seed: e.Seed} },
		},
		Classifiers: map[string]func(Settings) fewshot.Classifier{
			method.Mixture: func(s Settings) fewshot.Classifier {
				return &fewshot.Mixture{Matcher: s.Matcher, Balance: s.Balance, Skip: s.Skip}
			},
			method.Prototype: func(s Settings) fewshot.Classifier {
				return &fewshot.Prototype{Matcher: s.Matcher, Balance: s.Balance, Skip: s.Skip}
			},
			method.Nearest: func(s Settings) fewshot.Classifier { return &fewshot.Nearest{Matcher: s.Matcher, Skip: s.Skip} },
			method.Fusion:  func(s Settings) fewshot.Classifier { return baseline.Fusion(s.Matcher) },
			method.Merge:   func(s Settings) fewshot.Classifier { return baseline.Merge(s.Matcher) },
			method.Cosine:  func(s Settings) fewshot.Classifier { return baseline.Cosine(s.Matcher.Temperature) },
		},
		Weightings: map[string]func(float64) match.Weighting{
			method.CrossReference: func(float64) match.Weighting { return match.CrossReference{} },
			method.Equal:          func(float64) match.Weighting { return match.Equal{} },
		},
		Solvers: map[string]func(float64) match.Solver{
			method.Simplex: func(float64) match.Solver { return nil },
			method.Dense:   func(float64) match.Solver { return new(match.Dense) },
		},
	}
}

func (s Settings) descent() fewshot.Descent { return fewshot.Descent{Passes: s.Passes} }
