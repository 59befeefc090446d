package learn

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/augment"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/data"
)

// Pictures is a [Source] of randomly augmented images of some classes of a dataset. It prepares
// batches while the network runs. A batch depends only on the seed, the epoch and its number.
type Pictures struct {
	// Targets are a teacher's class probabilities by image name: see [Batch]; nil without a
	// teacher.
	Targets map[string][]float32
	// Shown has the mean and standard deviation of a teacher of maps' input (see [Batch]); nil
	// without one.
	Shown *imaging.Preprocess
	// Group shares every batch among its ranks; nil for a single process. Together they have the
	// same images as a single process.
	Group cluster.Group

	set      *data.Set
	settings *ClassifySettings
	policy   augment.Policy
	names    []string
	labels   []int
}

// NewPictures returns a source of all images of the classes, labeled with the class's index, and of
// the images without labels. It returns an error for unknown classes, and for a stage whose batches have
// more images than an epoch.
func NewPictures(set *data.Set, classes []string, s *ClassifySettings, policy augment.Policy) (*Pictures, error) {
	if err := set.Require(classes); err != nil {
		return nil, err
	}
	p := &Pictures{set: set, settings: s, policy: policy}
	p.names, p.labels, _ = set.Sample(classes, 0, 0) // all of them, without an error
	for _, picture := range set.Pictures(data.Unlabeled) {
		p.names, p.labels = append(p.names, picture.Name), append(p.labels, -1)
	}
	for i, stage := range s.Stages {
		if n := p.perEpoch(); n < stage.Batch {
			return nil, fmt.Errorf("stage %d: a batch has %d images, an epoch only %d: add images, or use a smaller batch in the setting stages", i+1, stage.Batch, n)
		}
	}
	return p, nil
}

func (p *Pictures) perEpoch() int {
	return min(cmp.Or(p.settings.EpochPictures, len(p.names)), len(p.names))
}

// Steps implements [Source]. Images that do not fill a last batch are left out of the epoch.
func (p *Pictures) Steps(stage Stage) int { return p.perEpoch() / stage.Batch }

// Images implements [Source].
func (p *Pictures) Images(stage Stage) int { return stage.Batch }

// Batches implements [Source].
func (p *Pictures) Batches(ctx context.Context, stage Stage, epoch, from int) (next func() (Batch, error), stop func()) {
	each := p.perEpoch()
	parts := len(p.names) / each
	order := rand.New(rand.NewPCG(p.settings.Seed, uint64(epoch/parts)<<8|1)).Perm(len(p.names))[epoch%parts*each:]
	return data.Ahead(ctx, from, p.Steps(stage), func(_ context.Context, number int) (Batch, error) {
		return p.batch(stage, epoch, order[number*stage.Batch:][:stage.Batch])
	})
}

// batch prepares one batch, or a rank's part of it: the upright images, and then the first ones
// again, rotated. The auxiliary task uses the rotated images and a third of their number upright,
// so that all four rotations are equally frequent. The ranks take alternating rows, so that each
// has the same number of rotated images.
func (p *Pictures) batch(stage Stage, epoch int, pictures []int) (b Batch, err error) {
	s, turned := p.settings, 0
	turns := s.RotationWeight > 0 || s.TurnedClasses
	if turns {
		turned = int(s.TurnedShare * float64(len(pictures)))
	}
	all := len(pictures) + turned
	group := cluster.Or(p.Group)
	row := func(i int) int { return i*group.Size() + group.Rank() }
	n := (all - group.Rank() + group.Size() - 1) / group.Size()
	if group.Size() > 1 {
		b.Whole.Labels, b.Whole.Rotations, b.Whole.Shown = p.labeled(pictures), turned+(turned+2)/3, len(pictures)
		if s.TurnedClasses {
			b.Whole.Labels += p.labeled(pictures[:turned])
		}
	}
	shown := 0
	if p.Shown != nil {
		shown = (len(pictures) - group.Rank() + group.Size() - 1) / group.Size()
		b.Shown = tensor.New(shown, stage.Teacher, stage.Teacher, 3)
	}
	b.Labels = make([]int, n)
	if turns {
		b.Rotations = make([]int, n)
	}
	if p.Targets != nil {
		b.Targets = make([][]float32, n)
	}
	b.Images, err = Crops(n, 1, stage.Size, s.Mean, s.Std, s.Threads, func(i int) ([]*imaging.Image, error) {
		at := row(i)
		which := pictures[at%len(pictures)]
		// An image varies by epoch, and its rotated copy varies differently.
		seed, stream := s.Seed+uint64(epoch)<<32, uint64(which)<<1|uint64(at/len(pictures))
		r := rand.New(rand.NewPCG(seed, stream))
		img, err := p.set.Image(p.names[which])
		if err != nil {
			return nil, err
		}
		if i < shown { // the same crop at the teacher's size, without disturbances
			clean := p.policy
			clean.Disturb = 0
			p.Shown.Normalize(b.Shown.Row(i), clean.Apply(img, stage.Teacher, rand.New(rand.NewPCG(seed, stream))))
		}
		img = p.policy.Apply(img, stage.Size, r)
		b.Labels[i] = p.labels[which]
		copied := at >= len(pictures)
		if copied && !s.TurnedClasses {
			b.Labels[i] = -1
		} else if p.Targets != nil {
			b.Targets[i] = p.Targets[p.names[which]]
		}
		if copied {
			b.Rotations[i] = 1 + r.IntN(Rotations-1)
			img = augment.Rotate(img, b.Rotations[i])
		} else if turns && at >= (turned+2)/3 {
			b.Rotations[i] = -1
		}
		return []*imaging.Image{img}, nil
	})
	return b, err
}

// labeled returns the number of images with a label.
func (p *Pictures) labeled(pictures []int) int {
	n := 0
	for _, which := range pictures {
		if p.labels[which] >= 0 {
			n++
		}
	}
	return n
}
