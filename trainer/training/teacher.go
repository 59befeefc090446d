package training

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	dense "gorgonia.org/tensor"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/netfile"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// A teacher needs no classifier head. The logit of an image for a class is the cosine between the mean
// features of the image (and of its mirror image) and the features of the class, times the scale that
// maximizes the likelihood of the labels.

// taughtAt is the number of images whose nodes are in memory at the same time.
const taughtAt = 1024

// targets returns the teachers' target for every training image: the class probabilities, softened
// by the temperature. The features of several teachers are concatenated, so that their cosines have
// equal weight. It also adds the teachers to the description of the network.
func (s *Pretrain) targets(ctx context.Context, w Reporter, pictures *openedData, knows *weights.Meta) (map[string][]float32, error) {
	names, labels, err := pictures.set.Sample(pictures.classes, 0, 0)
	if err != nil {
		return nil, err
	}
	features := make([][]float64, len(names))
	var teachers []string
	for path := range strings.SplitSeq(s.Teacher, ",") {
		teacher, more, err := s.teacherFeatures(ctx, w, pictures, names, path)
		if err != nil {
			return nil, fmt.Errorf("the teacher: %w", err)
		}
		teachers = append(teachers, teacher.Name)
		knows.Classes = netfile.Union(knows.Classes, teacher.Classes)
		for i, f := range more {
			features[i] = append(features[i], f...)
		}
	}
	cosines := similarities(features, labels, len(pictures.classes))
	scale := likeliestScale(cosines, labels)
	right := 0
	targets := make(map[string][]float32, len(names))
	for i, name := range names {
		if slices.Index(cosines[i], slices.Max(cosines[i])) == labels[i] {
			right++
		}
		targets[name] = probabilities(cosines[i], scale/s.TeacherTemperature)
	}
	knows.TrainedOn += ", taught by " + strings.Join(teachers, " and ")
	w.tell("the teacher %s tells %.1f%% of the images' classes", strings.Join(teachers, " with "), 100*float64(right)/float64(len(names)))
	return targets, nil
}

// teacherFeatures describes the network at a path, and returns its mean features of the images. It caches
// the features in the run's folder.
func (s *Pretrain) teacherFeatures(ctx context.Context, w Reporter, pictures *openedData, names []string, path string) (teacher weights.Meta, features [][]float64, err error) {
	n, err := w.read("the teacher: ", path, false)
	if err != nil {
		return teacher, nil, err
	}
	digest, err := s.teaching(n.File, pictures.set, names)
	if err != nil {
		return teacher, nil, err
	}
	g := cluster.Of(ctx)
	if err := cluster.Same(g, "teachers", "digest "+digest); err != nil {
		return teacher, nil, err
	}
	kept := keptFeatures(w.Dir, digest)
	if cluster.IsFirst(g) {
		features, err = kept.read(len(names))
	}
	features, err = cluster.FromLeader(g, features, err)
	if errors.Is(err, fs.ErrNotExist) {
		err = w.show("images shown to the teacher", func(show evaluate.Progress) error {
			net, done, err := encoder(ctx, &s.Settings, n.File)
			if err != nil {
				return err
			}
			defer done()
			features, err = meanFeatures(ctx, names, pictures.set.Image, evaluate.Extraction{
				Encoder: net, Threads: s.Threads,
				Preprocess: imaging.Preprocess{Size: n.Meta.InputSize, Mean: n.Meta.Mean, Std: n.Meta.Std},
			}, show)
			return err
		})
		if err == nil && cluster.IsFirst(g) {
			err = kept.write(features)
		}
	}
	return n.Meta, features, err
}

// meanFeatures returns the mean node of every image and its mirror image, normalized to length 1.
func meanFeatures(ctx context.Context, names []string, read evaluate.Reader, x evaluate.Extraction, show evaluate.Progress) ([][]float64, error) {
	means := make([][]float64, 0, len(names))
	for some := range slices.Chunk(names, taughtAt) {
		mean := make(map[string][]float64, len(some))
		for _, vary := range []func(string, *imaging.Image) *imaging.Image{nil, mirrored} {
			x.Vary = vary
			features, err := evaluate.Extract(ctx, some, read, x)
			if err != nil {
				return nil, err
			}
			for name, set := range features {
				if mean[name] == nil {
					mean[name] = make([]float64, set.C)
				}
				for i := range set.N {
					for c, v := range set.Node(i) {
						mean[name][c] += float64(v)
					}
				}
			}
		}
		for _, name := range some {
			if norm := floats.Norm(mean[name], 2); norm > 0 {
				floats.Scale(1/norm, mean[name])
			}
			means = append(means, mean[name])
		}
		show(len(means), len(names))
	}
	return means, nil
}

func mirrored(_ string, view *imaging.Image) *imaging.Image {
	return imaging.Orient(view, imaging.Mirrored)
}

// similarities returns the cosine between every image's features and the mean of each class,
// [images][classes]. The mean of an image's own class excludes the image.
func similarities(features [][]float64, labels []int, classes int) [][]float64 {
	sums := make([][]float64, classes)
	for i, f := range features {
		if sums[labels[i]] == nil {
			sums[labels[i]] = make([]float64, len(f))
		}
		floats.Add(sums[labels[i]], f)
	}
	rows := make([][]float64, len(features))
	for i, f := range features {
		rows[i] = make([]float64, classes)
		for class, sum := range sums {
			without := 0.0
			if class == labels[i] {
				without = 1
			}
			var dot, square float64
			for c, v := range f {
				m := sum[c] - without*v
				dot, square = dot+m*v, square+m*m
			}
			if square > 0 {
				rows[i][class] = dot / math.Sqrt(square)
			}
		}
	}
	return rows
}

// likeliestScale returns the scale of the logits that maximizes the likelihood of the labels.
func likeliestScale(logits [][]float64, labels []int) float64 {
	loss := func(scale float64) (sum float64) {
		for i, row := range logits {
			kernel.EndVectors() // Minutes become a second.
			top, total := slices.Max(row), 0.0
			for _, v := range row {
				total += math.Exp(scale * (v - top))
			}
			sum += math.Log(total) - scale*(row[labels[i]]-top)
		}
		return sum
	}
	// The loss is convex in the scale: a golden-section search finds its minimum.
	const least, most, golden, rounds = 0.1, 1000.0, 0.6180339887498949, 40
	from, to := least, most
	for range rounds {
		a, b := to-golden*(to-from), from+golden*(to-from)
		if loss(a) < loss(b) {
			to = b
		} else {
			from = a
		}
	}
	return (from + to) / 2
}

// probabilities returns the softmax of a scaled row.
func probabilities(row []float64, scale float64) []float32 {
	scaled, p := floats.ScaleTo(make([]float64, len(row)), scale, row), make([]float32, len(row))
	for i, v := range fewshot.Softmax(scaled, scaled) {
		p[i] = float32(v)
	}
	return p
}

// featureFile is the path of a file with a teacher's features of all images, for a run that is resumed; it
// may be empty. The name has a digest of the teacher and the images.
type featureFile string

func keptFeatures(dir, digest string) featureFile {
	if dir == "" {
		return ""
	}
	return featureFile(filepath.Join(dir, "teacher-"+digest+".npy"))
}

// teaching returns a digest of a teacher and of the images' names, sizes of files, and scaling. It does
// not cover the times of files, which differ between ranks.
func (s *Pictures) teaching(teacher *weights.File, set *data.Set, names []string) (string, error) {
	digest := sha256.New()
	if err := teacher.Encode(digest, weights.F32); err != nil {
		return "", err
	}
	fmt.Fprintln(digest, s.MaxSide)
	for _, name := range names {
		fmt.Fprintf(digest, "%q %d\n", name, set.Size(name))
	}
	return fmt.Sprintf("%x", digest.Sum(nil)[:6]), nil
}

// read returns the features, [images][channels], or fs.ErrNotExist.
func (k featureFile) read(pictures int) ([][]float64, error) {
	if k == "" {
		return nil, fs.ErrNotExist
	}
	file, err := os.Open(string(k))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	array, err := arrays.ReadNPY(file)
	if err == nil && (array.Dims() != 2 || array.Shape()[0] != pictures || array.Dtype() != dense.Float64) {
		err = fmt.Errorf("%v of %v, want %d rows of float64", array.Shape(), array.Dtype(), pictures)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: delete it, and the teacher computes it again", k, err)
	}
	return slices.Collect(slices.Chunk(array.Float64s(), array.Shape()[1])), nil
}

func (k featureFile) write(features [][]float64) error {
	if k == "" || len(features) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(string(k)), 0o777); err != nil {
		return err
	}
	array := dense.New(dense.WithShape(len(features), len(features[0])), dense.WithBacking(slices.Concat(features...)))
	return atomicfile.Write(string(k), func(w io.Writer) error { return arrays.WriteNPY(w, array) })
}
