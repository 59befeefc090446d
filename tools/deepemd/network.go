package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/core/resnet"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/trainer/format/torch"
	"github.com/deepemd/deepemd/trainer/training"
)

// Networks of the project's own, in its checkout.
const (
	defaultWeights = "core/network/resnet12s/" + resnet12s.File
	// heldOutWeights has seen the training classes of Tiny ImageNet's split alone, and
	// is what that data set's other classes are measured with.
	heldOutWeights = "trainer/results/weights/resnet12-s-150.safetensors"
)

// networkFlags are the flags of the commands that embed pictures.
type networkFlags struct {
	weights   string
	mean, std string
	size      int
	resize    int
	embedder  embedderFlags
	threads   int
	sound     bool // the default network is that for recordings
	heldOut   bool // the default network is that of heldOutWeights
}

func (f *networkFlags) register(flags *pflag.FlagSet) {
	f.registerNetwork(flags)
	f.embedder.register(flags)
}

// registerNetwork is register without the embedder.
func (f *networkFlags) registerNetwork(flags *pflag.FlagSet) {
	flags.StringVar(&f.weights, "weights", "", "weights, safetensors or PyTorch's .pth (default: "+f.standard()+" of the checkout)")
	flags.StringVar(&f.mean, "mean", "", "mean of red, green, blue (default: what the weights say; of a .pth file ImageNet's)")
	flags.StringVar(&f.std, "std", "", "standard deviation of red, green, blue (default: likewise)")
	flags.IntVar(&f.size, "size", 0, "side in pixels of the network's input (default: what the weights say)")
	flags.IntVar(&f.resize, "resize", 0, "scale pictures to this side before the central --size pixels are cut out (default: scale the central square to --size); of grids and random crops the crops are scaled so, which are then cut from the whole picture rather than its central square")
	flags.IntVar(&f.threads, "threads", 0, "how many threads compute (default: all cores)")
}

// encoder is a network with what surrounds it: pictures go in, local
// embeddings come out.
type encoder struct {
	network  *resnet.Network
	pre      imaging.Preprocess
	embedder embed.Embedder
	sound    bool // for recordings
}

// open reads the weights and builds the network. The normalisation is that of
// the flags, else what the weights say, else that of otherwise, else ImageNet's.
func (f *networkFlags) open(otherwise weights.Meta) (*encoder, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	embedder, err := f.embedder.embedder()
	if err != nil {
		return nil, err
	}
	file, err := f.read(otherwise)
	if err != nil {
		return nil, err
	}
	network, err := resnet.New(file, resnet.Options{Threads: f.threads})
	if err != nil {
		return nil, err
	}
	return &encoder{
		network: network,
		pre: imaging.Preprocess{
			Size: file.Meta.InputSize, Resize: f.resize, Mean: file.Meta.Mean, Std: file.Meta.Std,
		},
		embedder: embedder,
		sound:    f.sound,
	}, nil
}

// read reads the weights, with complete facts; see open.
func (f *networkFlags) read(otherwise weights.Meta) (*weights.File, error) {
	path, err := f.path()
	if err != nil {
		return nil, err
	}
	file, err := readWeights(path)
	if err != nil {
		return nil, err
	}
	normalise(file, false)
	if file.Meta.Widths, err = torch.Widths(file.Source, file.Tensors); err != nil {
		return nil, err
	}
	if file.Meta.Std == ([3]float32{}) {
		file.Meta.Mean, file.Meta.Std = otherwise.Mean, otherwise.Std
	}
	if err := setFacts(&file.Meta, path, importOptions{mean: f.mean, std: f.std, inputSize: f.size}); err != nil {
		return nil, err
	}
	if err := file.Meta.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", file.Source, err)
	}
	return file, nil
}

// standard is the weights that stand in for a flag that is not given.
func (f *networkFlags) standard() string {
	switch {
	case f.sound:
		return defaultSoundWeights
	case f.heldOut:
		return heldOutWeights
	}
	return defaultWeights
}

// path returns where the weights lie.
func (f *networkFlags) path() (string, error) {
	if f.weights != "" {
		return f.weights, nil
	}
	path, err := findAbove(f.standard())
	if err != nil {
		return "", fmt.Errorf("the default weights are missing: %w; give others with --weights", err)
	}
	return path, nil
}

// weightsSum is the SHA-256 of a file of weights, in hexadecimal; of a run's folder
// that of its network (see readWeights), of a folder of arrays that of all of them, by name.
func weightsSum(path string) (string, error) {
	files := []string{path}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		files = []string{filepath.Join(path, training.BestFile)}
		if _, err := os.Stat(files[0]); err != nil {
			files[0] = filepath.Join(path, training.LastFile)
		}
		if _, err := os.Stat(files[0]); err != nil {
			files, _ = filepath.Glob(filepath.Join(path, "*.npy")) // the pattern is well formed
		}
	}
	h := sha256.New()
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return "", readable(err)
		}
		_, err = io.Copy(h, file)
		if err := errors.Join(err, file.Close()); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// check refuses flags that no network could make sense of.
func (f *networkFlags) check() error {
	switch {
	case f.size != 0 && (f.size < resnet.MinSize || f.size > maxSide):
		return fmt.Errorf("--size %d: want pixels from %d to %d", f.size, resnet.MinSize, maxSide)
	case f.resize != 0 && (f.resize < resnet.MinSize || f.resize > maxSide):
		return fmt.Errorf("--resize %d: want pixels from %d to %d", f.resize, resnet.MinSize, maxSide)
	case f.threads < 0:
		return fmt.Errorf("--threads %d: want a positive number, or 0 for all cores", f.threads)
	}
	_, err := f.embedder.embedder()
	return err
}

// maxSide bounds the sides of pictures that are made for a network.
const maxSide = 1024

// embed turns pictures into their local embeddings.
func (e *encoder) embed(pictures ...*imaging.Image) ([]*embed.Set, error) {
	return e.embedder.Embed(e.network, e.pre, pictures...)
}

// findAbove finds a file of the checkout from a folder inside of it: the working
// folder or one above, else the one that the program lies in or one above.
func findAbove(name string) (string, error) {
	var starts []string
	if dir, err := os.Getwd(); err == nil {
		starts = append(starts, dir)
	}
	if program, err := os.Executable(); err == nil {
		starts = append(starts, filepath.Dir(program))
	}
	for _, dir := range starts {
		for {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if _, err := os.Stat(path); err == nil {
				return path, nil
			}
			parent := filepath.Dir(dir)
			if parent == dir {
				break
			}
			dir = parent
		}
	}
	return "", errors.New("no " + name + " in the working folder or one above it")
}
