package learn

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/augment"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/solver"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

// Episodes is a [Source] of episodes of some classes of a data set, their
// pictures varied at random.
type Episodes struct {
	set      *data.Set
	classes  []string
	sampler  *data.Sampler
	embedder embed.Embedder
	policy   augment.Policy
	settings *EpisodeSettings

	// Group shares the episodes of every step among its ranks; nil for a process alone.
	Group cluster.Group
}

// NewEpisodes returns a source of episodes of the classes.
//
// # Errors
//
// Those of [data.NewSampler], strangers for whom too few classes are left, and an
// embedder that makes no sense.
func NewEpisodes(set *data.Set, classes []string, s *EpisodeSettings, policy augment.Policy) (*Episodes, error) {
	sampler, err := data.NewSampler(set, classes, s.Way, s.Shot, s.Query, s.Seed)
	if err != nil {
		return nil, err
	}
	embedder, err := learner.AllParts().Embedder(s.Choice())
	if err != nil {
		return nil, err
	}
	e := &Episodes{set: set, classes: classes, sampler: sampler, embedder: embedder, policy: policy, settings: s}
	_, err = e.names(0) // whether there are strangers enough
	return e, err
}

// names are the pictures of an episode, in the order of a batch.
func (e *Episodes) names(number int) ([]string, error) {
	episode := e.sampler.Episode(number)
	names := append(append([]string(nil), episode.Support...), episode.Query...)
	if e.settings.Strangers == 0 {
		return names, nil
	}
	strangers, err := data.Strangers(e.set, e.classes, episode, e.settings.Way, e.settings.Strangers, e.settings.Seed, number)
	return append(names, strangers...), err
}

// Steps implements [Source].
func (e *Episodes) Steps(Stage) int { return e.settings.Episodes / e.settings.MetaBatch }

// Batches implements [Source].
func (e *Episodes) Batches(ctx context.Context, stage Stage, epoch, from int) (func() (Batch, error), func()) {
	s, group := e.settings, cluster.Or(e.Group)
	return Ahead(ctx, from, e.Steps(stage), func(step int) (b Batch, err error) {
		first, end := cluster.Share(group, s.MetaBatch)
		b.Episodes, b.Whole.Episodes = end-first, s.MetaBatch
		var names []string
		for i := first; i < end; i++ {
			episode, err := e.names(epoch*s.Episodes + step*s.MetaBatch + i)
			if err != nil {
				return b, err
			}
			names = append(names, episode...)
		}
		each, pictures := nodesOf(e.embedder).inputs(), s.pictures()
		b.Images, err = Crops(len(names), each, stage.Size, s.Mean, s.Std, s.Threads, func(i int) ([]*imaging.Image, error) {
			img, err := e.set.Image(names[i])
			if err != nil {
				return nil, err
			}
			number := step*s.MetaBatch + first + i/pictures // of the episode
			r := rand.New(rand.NewPCG(s.Seed+uint64(epoch)<<32, uint64(number)<<16|uint64(i%pictures)))
			return e.inputs(img, stage.Size, r), nil
		})
		b.Labels = make([]int, b.Episodes*s.Way*s.Query)
		for i := range b.Labels {
			b.Labels[i] = i % s.Way // way divides the queries of an episode
		}
		return b, err
	})
}

// inputs are the network's inputs of a picture, varied.
func (e *Episodes) inputs(img *imaging.Image, size int, r *rand.Rand) (inputs []*imaging.Image) {
	policy, pre := e.policy, imaging.Preprocess{Size: size}
	policy.MinArea, policy.Pad = 0, 0 // of crops, which are varied by themselves
	add := func(embedder embed.Embedder) {
		for _, crop := range embedder.Crops(pre, embedder.View(pre, img)) {
			inputs = append(inputs, policy.Apply(crop.Picture, size, r))
		}
	}
	switch embedder := e.embedder.(type) {
	case embed.Grid:
		for _, level := range embedder.Levels {
			add(embed.Grid{Levels: []int{level}, Ratio: 1 + 2*r.Float64()})
		}
	case embed.Sampling:
		policy.Flip = false
		add(embed.Sampling{Patches: embedder.Patches, Seed: r.Uint64()})
	default:
		inputs = append(inputs, e.policy.Apply(img, size, r))
	}
	return inputs
}

// Settings are all that a run of meta-training depends on, but for the data and
// the network that it begins with.
type EpisodeSettings struct {
	Settings
	Way      int `toml:"way"`
	Shot     int `toml:"shot"`
	Query    int `toml:"query"`    // of each class
	Episodes int `toml:"episodes"` // of an epoch
	// MetaBatch is the number of episodes of a step, whose gradients are averaged. Ranks
	// share them out: it is a multiple of their number.
	MetaBatch int `toml:"meta_batch"`

	// Strangers are pictures of each of way other classes than the episode's; 0 for none,
	// and no more than it has of each of its own.
	// Each is to score below each query, by StrangerMargin in logits: what falls short
	// adds to the loss, StrangerWeight times.
	Strangers      int     `toml:"strangers"`
	StrangerMargin float64 `toml:"stranger_margin"`
	StrangerWeight float64 `toml:"stranger_weight"`

	// Layer names the solver that differentiates the flow: "interior-l2", "interior-qp",
	// "sinkhorn", or "held", which does not.
	Layer   string  `toml:"layer"`
	Epsilon float64 `toml:"epsilon"` // of the layer's smoothing term; 0 for its own

	// Embedder is how a picture becomes nodes: "fcn", "grid" or "sampling". The last
	// two take a picture apart into crops, other ones in every episode: grids with a ratio of
	// 1 to 3, drawn for each picture and grid, or random crops. A crop is one input of
	// the network, and the mean of its map one node. Of the augmentation, crops have
	// the flip (random ones flip by themselves), colours and disturbances.
	Embedder string `toml:"embedder"`
	// Pyramid lists levels of fcn's feature pyramid: 5×5 nodes and pyramid [2, 1] are
	// the paper's P_feat(5,2,1).
	Pyramid []int `toml:"pyramid"`
	Grid    []int `toml:"grid"`    // cells across of each grid; none for 2 and 3
	Patches int   `toml:"patches"` // random crops of a picture; 0 for 9
	// ValidationPatches are the random crops of a picture when a network is validated:
	// tests take more than training can. 0 for as many as in training.
	ValidationPatches int `toml:"validation_patches"`

	// AtOnce bounds the inputs that pass through the network at the same time; 0 for
	// all of an episode, whose activations are kept. It needs FreezeStatistics, and
	// costs a second forward pass: with it grids fit into ordinary memories.
	AtOnce int `toml:"at_once"`

	Mean [3]float32 `toml:"mean"`
	Std  [3]float32 `toml:"std"`
}

// Defaults are the settings of the paper: 5,000 episodes, 5-way 1-shot with 15
// queries of each class, SGD with a rate of 5e-4 that halves every 500 episodes.
func EpisodeDefaults() EpisodeSettings {
	return EpisodeSettings{
		Settings: Settings{
			Name: "resnet12", Stages: []Stage{{Epochs: 50, Size: 84, Batch: 80}},
			Rate: 5e-4, Schedule: "halving", HalveEvery: 500, Momentum: 0.9, Nesterov: true, WeightDecay: 5e-4, Clip: 5,
			ValidateEvery: 5, ValidationEpisodes: 300, Precision: backbone.Auto, Seed: 1,
			Statistics: EachRank, Gradients: backbone.Float32,
		},
		Way: 5, Shot: 1, Query: 15, Episodes: 100, MetaBatch: 1, StrangerWeight: 1, Layer: "interior-l2", Embedder: method.FCN,
	}
}

// layer returns how to make a layer of the settings.
func (s *EpisodeSettings) layer() (func() solver.Layer, error) {
	switch s.Layer {
	case "interior-l2":
		return func() solver.Layer { return &solver.Interior{Epsilon: s.Epsilon} }, nil
	case "interior-qp":
		return func() solver.Layer { return &solver.Interior{Form: solver.QP, Epsilon: s.Epsilon} }, nil
	case "sinkhorn":
		return func() solver.Layer { return &solver.Sinkhorn{Strength: s.Epsilon} }, nil
	case "held":
		return func() solver.Layer { return &solver.ConstantFlow{} }, nil
	}
	return nil, fmt.Errorf("layer %q: use interior-l2, interior-qp, sinkhorn or held", s.Layer)
}

// Choice is the embedder that networks are taught for.
func (s *EpisodeSettings) Choice() method.Embedder {
	return method.Embedder{Kind: s.Embedder, Pyramid: s.Pyramid, Grid: s.Grid, Patches: s.Patches}
}

// Validation is the embedder that networks are validated with: as in tests, grids have
// one ratio, and random crops are always the same ones of a picture.
func (s *EpisodeSettings) Validation() method.Embedder {
	e := s.Choice()
	if s.ValidationPatches > 0 {
		e.Patches = s.ValidationPatches
	}
	return e
}

// pictures are those of an episode.
func (s *EpisodeSettings) pictures() int { return s.Way * (s.Shot + s.Query + s.Strangers) }

// maxPairs bounds the queries and strangers times classes of an episode.
const maxPairs = 1_000_000

// TogetherInputs is how many inputs pass through the network together, all of an episode
// or at_once of them. The settings are ones that Check approves of.
func (s *EpisodeSettings) TogetherInputs() int {
	inputs := s.pictures()
	if embedder, err := learner.AllParts().Embedder(s.Choice()); err == nil {
		inputs *= nodesOf(embedder).inputs()
	}
	if s.AtOnce > 0 {
		inputs = min(inputs, s.AtOnce)
	}
	return inputs
}

// Check returns an error that names the first setting that makes no sense.
func (s *EpisodeSettings) Check() error {
	if _, err := s.layer(); err != nil {
		return err
	}
	if err := CheckRanges([]Range{
		{Name: "way", Value: float64(s.Way), From: 2, To: 1000}, {Name: "shot", Value: float64(s.Shot), From: 1, To: 1000},
		{Name: "query", Value: float64(s.Query), From: 1, To: 1000}, {Name: "episodes", Value: float64(s.Episodes), From: 1, To: 1e6},
		{Name: "meta_batch", Value: float64(s.MetaBatch), From: 1, To: float64(s.Episodes)},
		{Name: "strangers", Value: float64(s.Strangers), To: float64(s.Shot + s.Query)}, {Name: "stranger_margin", Value: s.StrangerMargin, To: 1e3},
		{Name: "stranger_weight", Value: s.StrangerWeight, To: 1e3},
		{Name: "validation_patches", Value: float64(s.ValidationPatches), To: 1024},
		{Name: "epsilon", Value: s.Epsilon, To: 1e3}, {Name: "at_once", Value: float64(s.AtOnce), To: 1e6},
	}); err != nil {
		return err
	}
	if pairs := s.Way * s.Way * (s.Query + s.Strangers); pairs > maxPairs {
		return fmt.Errorf("way %d with query %d and strangers %d: a step would match %d pairs of a picture and a class, want %d at most",
			s.Way, s.Query, s.Strangers, pairs, maxPairs)
	}
	for _, e := range []method.Embedder{s.Choice(), s.Validation()} {
		if _, err := learner.AllParts().Embedder(e); err != nil {
			return err
		}
	}
	if s.Std != ([3]float32{}) { // else they become those of the network
		if err := CheckNormalisation(s.Mean, s.Std); err != nil {
			return err
		}
	}
	if s.AtOnce > 0 && !s.FreezeStatistics {
		return fmt.Errorf("at_once is %d: an episode in parts has the statistics of the whole only with freeze_statistics = true", s.AtOnce)
	}
	if s.Statistics == Synchronised {
		return fmt.Errorf("statistics is %q: an episode is normalised by its own pictures: use %q", s.Statistics, EachRank)
	}
	return s.Settings.Check()
}
