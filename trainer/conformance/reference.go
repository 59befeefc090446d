package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sbinet/npyio/npz"

	"deepemd/core/imaging"
	"deepemd/core/resnet"
	"deepemd/core/weights"
	"deepemd/trainer/data"
	"deepemd/trainer/torch"
)

// reference is one of the published networks with its golden data: lists of
// pictures (JSON), arrays (NPZ) and weights (PTH) of one name, and the archive
// of its pictures.
type reference struct {
	shared string
	name   string // of the weights' file, for people
	lists  string // of the JSON and the NPZ file
	images string // of the archive
	net    *resnet.Network
	data   *data.Set

	list struct {
		Episodes   []data.Episode `json:"episodes_1shot"`
		Act        struct{ Image string }
		Pair       struct{ Support, Query string }
		Preprocess struct{ Mean, Std [3]float32 }
	}
}

// The published networks that there are golden data of.
func cifar(shared string) *reference {
	return &reference{shared: shared, name: "resnet12-cifarfs", lists: "reference", images: "cifar100.zip"}
}

func tiny(shared string) *reference {
	return &reference{shared: shared, name: "resnet12-s-tiny", lists: "resnet12-s-tiny", images: "tiny-imagenet.zip"}
}

// files are the paths that the reference is read from.
func (r *reference) files() []string {
	return []string{r.path(r.lists + ".json"), r.path(r.lists + ".npz"), r.path(r.name + ".pth"), r.archive()}
}

func (r *reference) path(file string) string { return filepath.Join(r.shared, "reference", file) }

func (r *reference) archive() string { return filepath.Join(r.shared, "datasets", r.images) }

// open reads the lists and the weights and opens the archive; close closes it.
func (r *reference) open(threads int) error {
	raw, err := os.ReadFile(r.path(r.lists + ".json"))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, &r.list); err != nil {
		return fmt.Errorf("%s: %w", r.path(r.lists+".json"), err)
	}
	if r.net, err = r.network(threads); err != nil {
		return err
	}
	r.data, err = data.Open(r.archive())
	return err
}

// network builds the network from PyTorch's file.
func (r *reference) network(threads int) (*resnet.Network, error) {
	path := r.path(r.name + ".pth")
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	tensors, err := torch.Load(path, file, info.Size())
	if err != nil {
		return nil, err
	}
	widths, err := torch.Widths(path, tensors)
	if err != nil {
		return nil, err
	}
	meta := weights.Meta{Arch: resnet.Arch, Name: r.name, Widths: widths}
	return resnet.New(&weights.File{Source: path, Meta: meta, Tensors: tensors}, resnet.Options{Threads: threads})
}

func (r *reference) close() error { return r.data.Close() }

// preprocess turns pictures into inputs as the reference did: as they are when
// resize is 0.
func (r *reference) preprocess(size, resize int) imaging.Preprocess {
	return imaging.Preprocess{Size: size, Resize: resize, Mean: r.list.Preprocess.Mean, Std: r.list.Preprocess.Std}
}

// array reads one array of the reference.
func (r *reference) array(name string) ([]float32, error) {
	f, err := npz.Open(r.path(r.lists + ".npz"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var values []float32
	if err := f.Read(name+".npy", &values); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", r.path(r.lists+".npz"), name, err)
	}
	return values, nil
}
