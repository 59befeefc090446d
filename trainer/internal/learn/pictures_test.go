package learn

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/augment"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/mediatest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

func pictures(t *testing.T, dir string, threads int, changes ...func(*ClassifySettings)) *Pictures {
	t.Helper()
	set := require.Value(data.OpenSplit(dir, ""))(t)
	t.Cleanup(func() { set.Close() })
	s := settings()
	s.Threads = threads
	for _, change := range changes {
		change(s)
	}
	p := require.Value(NewPictures(set, set.Classes(), s, augment.Policy{MinArea: 0.5, Flip: true, Brightness: 0.2}))(t)
	return p
}

func TestBatchesDependOnTheirPlaceAlone(t *testing.T) {
	dir, stage := mediatest.Folder(t, 3, 8), Stage{Epochs: 1, Size: 16, Batch: 8}
	ctx := context.Background()
	take := func(threads, epoch, from int) []Batch {
		p := pictures(t, dir, threads)
		next, stop := p.Batches(ctx, stage, epoch, from)
		defer stop()
		var all []Batch
		for range p.Steps(stage) - from {
			b := require.Value(next())(t)
			all = append(all, b)
		}
		return all
	}
	whole, later := take(1, 4, 0), take(3, 4, 2)
	if len(whole) != 3 || len(later) != 1 {
		t.Fatalf("%d and %d batches", len(whole), len(later))
	}
	same := func(a, b Batch) bool {
		return fmt.Sprint(a.Images.Data, a.Labels, a.Rotations) == fmt.Sprint(b.Images.Data, b.Labels, b.Rotations)
	}
	if !same(whole[2], later[0]) {
		t.Error("a batch depends on where reading began, or on threads")
	}
	if same(whole[0], take(1, 5, 0)[0]) {
		t.Error("two epochs are the same")
	}

	// Over an epoch every image comes once, upright, and rotations are balanced.
	labels, turns := map[int]int{}, map[int]int{}
	for _, b := range whole {
		for i, l := range b.Labels {
			labels[l]++
			turns[b.Rotations[i]]++
		}
	}
	if labels[0] != 8 || labels[1] != 8 || labels[2] != 8 || labels[-1] != 6 {
		t.Errorf("labels come %v times", labels)
	}
	if turns[0] != 3 || turns[1]+turns[2]+turns[3] != 6 {
		t.Errorf("rotations come %v times", turns)
	}
}

// TestNoRotations: the rotation head does not learn from a batch that is too small for rotated images,
// not even from the gradient of an earlier batch.
func TestNoRotations(t *testing.T) {
	p := pictures(t, mediatest.Folder(t, 3, 8), 1)
	m := NewClassifier(p.settings, built(t, p.settings), 3)
	for size, learns := range map[int]bool{8: true, 3: false} {
		m.rotation.Bias.Grad[0] = 7
		next, stop := p.Batches(t.Context(), Stage{Epochs: 1, Size: 16, Batch: size}, 0, 0)
		defer stop()
		o := require.Value(m.Gradients(require.Value(next())(t), nil))(t)
		if got := m.rotation.Bias.Grad[0]; got == 7 || (got != 0) != learns || !learns && o.Rotation != 0 {
			t.Errorf("a batch of %d: the gradient of a rotation is %g, its accuracy %g", size, got, o.Rotation)
		}
	}
}

func TestTurnedPicturesTeachTheirClassToo(t *testing.T) {
	for _, weight := range []float64{0.5, 0} { // with the auxiliary task, and as augmentation
		p := pictures(t, mediatest.Folder(t, 3, 8), 1, func(s *ClassifySettings) { s.RotationWeight, s.TurnedClasses = weight, true })
		next, stop := p.Batches(context.Background(), Stage{Epochs: 1, Size: 16, Batch: 8}, 0, 0)
		defer stop()
		b := require.Value(next())(t)
		if len(b.Labels) != 10 || b.Labels[8] != b.Labels[0] || b.Labels[9] != b.Labels[1] {
			t.Errorf("rotation weight %v: labels %v: want two turned pictures with those of the first", weight, b.Labels)
		}
		if b.Rotations[8] < 1 || b.Rotations[9] < 1 {
			t.Errorf("rotation weight %v: rotations %v: the last two are not turned", weight, b.Rotations)
		}
	}
}

// TestRanksShareBatches: the ranks' rows together are the batch of a single process, and they know
// how many labels and rotations it has.
func TestRanksShareBatches(t *testing.T) {
	dir, stage := mediatest.Folder(t, 3, 8), Stage{Epochs: 1, Size: 16, Batch: 8}
	for _, turned := range []bool{false, true} {
		first := func(g cluster.Group) Batch {
			p := pictures(t, dir, 1, func(s *ClassifySettings) { s.TurnedClasses = turned })
			p.Group = g
			next, stop := p.Batches(t.Context(), stage, 0, 0)
			defer stop()
			return require.Value(next())(t)
		}
		whole := first(nil)
		for rank, g := range cluster.InProcess(3) {
			b := first(g)
			if want := (BatchTotals{Labels: backbone.Counted(whole.Labels), Rotations: backbone.Counted(whole.Rotations), Shown: 8}); b.Whole != want {
				t.Errorf("turned classes %v, rank %d: totals %+v, want %+v", turned, rank, b.Whole, want)
			}
			var rows []int
			for row := rank; row < len(whole.Labels); row += 3 {
				rows = append(rows, row)
			}
			if len(b.Labels) != len(rows) {
				t.Fatalf("turned classes %v, rank %d: %d images, want %d", turned, rank, len(b.Labels), len(rows))
			}
			for i, row := range rows {
				if b.Labels[i] != whole.Labels[row] || b.Rotations[i] != whole.Rotations[row] || !slices.Equal(b.Images.Row(i), whole.Images.Row(row)) {
					t.Errorf("turned classes %v, rank %d: image %d is not the image %d of the batch", turned, rank, i, row)
				}
			}
		}
	}
}

func TestCorruptPictureIsNamed(t *testing.T) {
	dir := mediatest.Folder(t, 2, 6)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "class1", "2.png"), []byte("no image"), 0o644))
	p := pictures(t, dir, 2)
	next, stop := p.Batches(context.Background(), Stage{Epochs: 1, Size: 16, Batch: 12}, 0, 0)
	defer stop()
	if _, err := next(); err == nil || !strings.Contains(err.Error(), "class1/2.png") {
		t.Errorf("a corrupt picture gives %v", err)
	}
}
