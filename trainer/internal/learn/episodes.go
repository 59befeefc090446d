package learn

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/augment"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/solver"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// Episodes is a [Source] of randomly augmented episodes of some classes of a dataset.
type Episodes struct {
	set      *data.Set
	sampler  *data.Sampler
	embedder embed.Embedder
	policy   augment.Policy
	settings *EpisodeSettings

	// Group shares the episodes of a step among its ranks; nil for a single process.
	Group cluster.Group
}

// NewEpisodes returns a source of episodes. It returns the same errors as [data.NewSampler].
func NewEpisodes(set *data.Set, classes []string, s *EpisodeSettings, policy augment.Policy) (*Episodes, error) {
	sampler, err := data.NewSampler(set, classes, s.Way, s.Shot, s.Query, s.Seed)
	if err != nil {
		return nil, err
	}
	embedder, err := learner.AllParts().Embedder(s.Choice())
	if err != nil {
		return nil, err
	}
	return &Episodes{set: set, sampler: sampler, embedder: embedder, policy: policy, settings: s}, nil
}

// Steps implements [Source].
func (e *Episodes) Steps(Stage) int { return e.settings.Episodes / e.settings.MetaBatch }

// Images implements [Source].
func (e *Episodes) Images(Stage) int { return e.settings.pictures() * e.settings.MetaBatch }

// Batches implements [Source].
func (e *Episodes) Batches(ctx context.Context, stage Stage, epoch, from int) (func() (Batch, error), func()) {
	s, group := e.settings, cluster.Or(e.Group)
	return data.Ahead(ctx, from, e.Steps(stage), func(_ context.Context, step int) (b Batch, err error) {
		first, end := cluster.Share(group, s.MetaBatch)
		b.Episodes, b.Whole.Episodes = end-first, s.MetaBatch
		var names []string
		for i := first; i < end; i++ {
			episode := e.sampler.Episode(epoch*s.Episodes + step*s.MetaBatch + i)
			names = append(append(names, episode.Support...), episode.Query...)
		}
		each, pictures := nodesOf(e.embedder).Inputs(), s.pictures()
		b.Images, err = Crops(len(names), each, stage.Size, s.Mean, s.Std, s.Threads, func(i int) ([]*imaging.Image, error) {
			img, err := e.set.Image(names[i])
			if err != nil {
				return nil, err
			}
			number := step*s.MetaBatch + first + i/pictures
			r := rand.New(rand.NewPCG(s.Seed+uint64(epoch)<<32, uint64(number)<<16|uint64(i%pictures)))
			return e.inputs(img, stage.Size, r), nil
		})
		b.Labels = make([]int, b.Episodes*s.Way*s.Query)
		for i := range b.Labels {
			b.Labels[i] = i % s.Way
		}
		return b, err
	})
}

// inputs returns the network's augmented inputs of an image.
func (e *Episodes) inputs(img *imaging.Image, size int, r *rand.Rand) (inputs []*imaging.Image) {
	policy, pre := e.policy, imaging.Preprocess{Size: size}
	policy.MinArea, policy.Pad = 0, 0 // crops are not cropped again
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

// EpisodeSettings are the settings of meta-training, except the data and the initial network.
type EpisodeSettings struct {
	Settings
	Way      int `toml:"way"`
	Shot     int `toml:"shot"`
	Query    int `toml:"query"`    // per class
	Episodes int `toml:"episodes"` // per epoch
	// MetaBatch is the number of episodes in a step, whose gradients are averaged. It must be a
	// multiple of the number of ranks.
	MetaBatch int `toml:"meta_batch"`

	// Layer is the solver that differentiates the flow: "interior-l2", "interior-qp", "sinkhorn",
	// or "held" for a constant flow.
	Layer   string  `toml:"layer"`
	Epsilon float64 `toml:"epsilon"` // the layer's smoothing; 0 for its default

	// Embedder is "fcn", "grid" or "sampling". The last two crop an image differently in every
	// episode: grids with a ratio from 1 to 3, drawn for each image and grid, or random crops. Each
	// crop is an input of the network, and the mean of its map is a node. Crops are augmented with
	// flips (random crops flip by themselves), colors and disturbances only.
	Embedder string `toml:"embedder"`
	// Pyramid lists the levels of fcn's feature pyramid: 5×5 nodes with [2, 1] are the paper's
	// P_feat(5,2,1).
	Pyramid []int `toml:"pyramid"`
	Grid    []int `toml:"grid"`    // cells across of each grid; empty for 2 and 3
	Patches int   `toml:"patches"` // random crops per image; 0 for 9
	// ValidationPatches is the number of random crops per image in validation, where more are
	// affordable; 0 for the same number as in training.
	ValidationPatches int `toml:"validation_patches"`

	// AtOnce limits the inputs per pass; 0 passes a whole episode, and keeps its activations. It
	// requires FreezeStatistics and a second forward pass, and makes grids fit into ordinary
	// memories.
	AtOnce int `toml:"at_once"`

	Mean [3]float32 `toml:"mean"`
	Std  [3]float32 `toml:"std"`
}

// EpisodeDefaults returns the settings of the paper: 5,000 episodes, 5-way 1-shot with 15 queries per
// class, SGD with a rate of 5e-4 that halves every 500 episodes.
func EpisodeDefaults() EpisodeSettings {
	return EpisodeSettings{
		Name: "resnet12", Stages: []Stage{{Epochs: 50, Size: 84}},
		Rate: 5e-4, Schedule: "halving", HalveEvery: 500, Momentum: 0.9, Nesterov: true, WeightDecay: 5e-4, Clip: 5,
		ValidateEvery: 5, ValidationEpisodes: 300, Precision: device.Auto, Device: device.Auto, Seed: 1,
		Statistics: EachRank, Gradients: device.Float32,
		Way: 5, Shot: 1, Query: 15, Episodes: 100, MetaBatch: 1, Layer: "interior-l2", Embedder: method.FCN,
	}
}

func (s *EpisodeSettings) layer() (solver.Layer, error) {
	switch s.Layer {
	case "interior-l2":
		return &solver.Interior{Epsilon: s.Epsilon}, nil
	case "interior-qp":
		return &solver.Interior{Form: solver.QP, Epsilon: s.Epsilon}, nil
	case "sinkhorn":
		return &solver.Sinkhorn{Strength: s.Epsilon}, nil
	case "held":
		return &solver.ConstantFlow{}, nil
	}
	return nil, fmt.Errorf("layer %q: use interior-l2, interior-qp, sinkhorn or held", s.Layer)
}

// Choice returns the embedder of training.
func (s *EpisodeSettings) Choice() method.Embedder {
	return method.Embedder{Kind: s.Embedder, Pyramid: s.Pyramid, Grid: s.Grid, Patches: s.Patches}
}

// Validation returns the embedder of validation. As in tests, grids have one ratio, and the random crops
// of an image do not change.
func (s *EpisodeSettings) Validation() method.Embedder {
	e := s.Choice()
	e.Patches = cmp.Or(s.ValidationPatches, e.Patches)
	return e
}

// pictures returns the number of images in an episode.
func (s *EpisodeSettings) pictures() int { return s.Way * (s.Shot + s.Query) }

// maxPairs limits the pairs of a query and a class.
const maxPairs = 1_000_000

// TogetherInputs returns the number of inputs per pass, for settings that pass Check.
func (s *EpisodeSettings) TogetherInputs() int {
	inputs := s.pictures()
	if embedder, err := learner.AllParts().Embedder(s.Choice()); err == nil {
		inputs *= nodesOf(embedder).Inputs()
	}
	if s.AtOnce > 0 {
		inputs = min(inputs, s.AtOnce)
	}
	return inputs
}

// Check returns an error that names the first invalid setting.
func (s *EpisodeSettings) Check() error {
	_, err := s.layer()
	if err := cmp.Or(err, CheckRanges([]Range{
		{Name: "way", Value: float64(s.Way), From: 2, To: 1000}, {Name: "shot", Value: float64(s.Shot), From: 1, To: 1000},
		{Name: "query", Value: float64(s.Query), From: 1, To: 1000}, {Name: "episodes", Value: float64(s.Episodes), From: 1, To: 1e6},
		{Name: "meta_batch", Value: float64(s.MetaBatch), From: 1, To: float64(s.Episodes)},
		{Name: "validation_patches", Value: float64(s.ValidationPatches), To: 1024},
		{Name: "epsilon", Value: s.Epsilon, To: 1e3}, {Name: "at_once", Value: float64(s.AtOnce), To: 1e6},
	})); err != nil {
		return err
	}
	if pairs := s.Way * s.Way * s.Query; pairs > maxPairs {
		return fmt.Errorf("way %d with query %d: a step would match %d pairs of an image and a class, want %d at most", s.Way, s.Query, pairs, maxPairs)
	}
	for _, e := range []method.Embedder{s.Choice(), s.Validation()} {
		if _, err := learner.AllParts().Embedder(e); err != nil {
			return err
		}
	}
	if s.Std != ([3]float32{}) { // otherwise taken from the network
		if err := weights.CheckNormalization(s.Mean, s.Std); err != nil {
			return err
		}
	}
	if s.AtOnce > 0 && !s.FreezeStatistics {
		return fmt.Errorf("at_once is %d: processing an episode in parts requires freeze_statistics = true", s.AtOnce)
	}
	if s.Statistics == Synchronized {
		return fmt.Errorf("statistics is %q: an episode is normalized by its own images: use %q", s.Statistics, EachRank)
	}
	return cmp.Or(s.Settings.Check(), s.checkStages(func(stage Stage) error {
		if stage.Batch != 0 {
			return fmt.Errorf("batch of %d: a step has way·(shot + query)·meta_batch = %d images: remove batch", stage.Batch, s.pictures()*s.MetaBatch)
		}
		return nil
	}))
}
