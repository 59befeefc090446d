package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sbinet/npyio/npz"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/trainer/data"

	"github.com/deepemd/deepemd/internal/netfile"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// reference is one of the published networks with its golden data: weights
// (PTH), lists of pictures (JSON), arrays (NPZ), and the archive of its
// pictures.
type reference struct {
	shared string // folder of everything
	name   string // of the network, and its file without .pth
	lists  string // of the lists and the arrays, without .json and .npz
	images string // of the archive
	fast   string // of the arrays of SFC at the rate of evaluation, without .npz; empty for none
	pieces setting
	logits []setting

	list    lists // and what follows, while open
	network backbone.Network
	data    *data.Set
	maps    map[imaging.Preprocess]evaluate.Features // see reference.features
}

// setting is one way in which the reference embedded pictures.
type setting struct {
	name           string         // of its logits
	pixels, resize int            // as in imaging.Preprocess
	embedder       embed.Embedder // nil for embed.FCN{}
	episodes       int            // of the list that the reference embedded so; 0 for all
}

// lists is what the JSON file holds that is used here.
type lists struct {
	Episodes   []data.Episode `json:"episodes_1shot"`
	FiveShot   []data.Episode `json:"episodes_5shot"`
	SFC        *learning
	Act        struct{ Image string }
	Pair       *struct{ Support, Query string }
	Preprocess struct{ Mean, Std [3]float32 }
}

// files are the paths that the reference is read from.
func (r *reference) files() []string {
	files := []string{r.path(r.name + ".pth"), r.path(r.lists + ".json"), r.path(r.lists + ".npz"), r.archive()}
	if r.fast != "" {
		files = append(files, r.path(r.fast+".npz"))
	}
	return files
}

func (r *reference) path(file string) string { return filepath.Join(r.shared, "reference", file) }

func (r *reference) archive() string { return filepath.Join(r.shared, "datasets", r.images) }

// run compares everything that the reference has.
func (r reference) run(ctx context.Context, opt Options, report func(Check)) error {
	if err := r.open(opt.Threads); err != nil {
		return err
	}
	defer r.data.Close()
	if err := r.compareActivations(report); err != nil {
		return err
	}
	if r.list.Pair != nil {
		if err := r.comparePair(report); err != nil {
			return err
		}
	}
	for _, s := range r.logits {
		if err := r.compareLogits(ctx, s, opt, report); err != nil {
			return err
		}
	}
	if r.list.SFC != nil {
		return r.compareSFC(ctx, opt, report)
	}
	return nil
}

// open reads the lists and the weights and opens the archive.
func (r *reference) open(threads int) error {
	raw, err := os.ReadFile(r.path(r.lists + ".json"))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, &r.list); err != nil {
		return fmt.Errorf("%s: %w", r.path(r.lists+".json"), err)
	}
	r.maps = map[imaging.Preprocess]evaluate.Features{}
	if err := r.build(threads); err != nil {
		return err
	}
	r.data, err = data.Open(r.archive())
	return err
}

// build makes the network from PyTorch's file.
func (r *reference) build(threads int) error {
	path := r.path(r.name + ".pth")
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	tensors, err := netfile.LoadTorch(path, file, info.Size())
	if err != nil {
		return err
	}
	widths, err := netfile.TorchWidths(path, tensors)
	if err != nil {
		return err
	}
	meta := weights.Meta{Arch: backbone.ArchResNet12, Name: r.name, Widths: widths}
	r.network, err = backbone.New(&weights.File{Source: path, Meta: meta, Tensors: tensors}, backbone.Options{Threads: threads})
	return err
}

// preprocess is how a setting turns pictures into inputs.
func (r *reference) preprocess(s setting) imaging.Preprocess {
	return imaging.Preprocess{Size: s.pixels, Resize: s.resize, Mean: r.list.Preprocess.Mean, Std: r.list.Preprocess.Std}
}

// array reads one array of the reference.
func (r *reference) array(name string) ([]float32, error) {
	return readArray(r.path(r.lists+".npz"), name)
}

// readArray reads one array of an archive.
func readArray(path, name string) ([]float32, error) {
	f, err := npz.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var values []float32
	if err := f.Read(name+".npy", &values); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", path, name, err)
	}
	return values, nil
}
