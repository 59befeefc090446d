// Package flags has the groups of flags that several verbs share, and opens the files that they name:
// networks, embedders, matchers, classifiers, projects.
package flags

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/namedfile"
	"github.com/deepemd/deepemd/internal/netfile"
	"github.com/deepemd/deepemd/trainer/training"
)

// Help texts of shared flags.
const (
	DataHelp  = "zip archive or folder with a subfolder of pictures per class, or miniImageNet, tieredImageNet or CUB in their original form"
	SplitHelp = "classes of train, val and test: a JSON file, a CSV file of \"filename,label\", or a folder with train.csv, val.csv and test.csv"
)

// Network are the flags of verbs that embed images.
type Network struct {
	Weights   string
	Mean, Std string
	Size      int
	Resize    int
	Threads   int
	Device    string // of OpenOn: see training.DeviceHelp
	Sound     bool   // the default network is for recordings

	taught *Supplied // the default instead, see Suit
	remedy string    // for a recording, if the network is for images
}

// Supplied is a network in the program.
type Supplied struct {
	Name, File string
	Weights    []byte
}

// supplied are the networks in the program. The others than the defaults open the projects and indexes
// that they made.
var supplied = []Supplied{
	{network.ResNet12Photo, network.ResNet12PhotoFile, network.ResNet12PhotoWeights()},
	{network.ResNet12S, network.ResNet12SFile, network.ResNet12SWeights()},
	{network.ResNet12XS, network.ResNet12XSFile, network.ResNet12XSWeights()},
	{network.ResNet12Sound, network.ResNet12SoundFile, network.ResNet12SoundWeights()},
}

// Maker returns the network in the program whose file has the given SHA-256, or nil.
func Maker(sha256 string) *Supplied {
	return pick(func(s Supplied) bool { return archive.Digest(s.Weights) == sha256 })
}

// Named returns the network in the program with the given name, or nil.
func Named(name string) *Supplied { return pick(func(s Supplied) bool { return s.Name == name }) }

func pick(is func(Supplied) bool) *Supplied {
	if at := slices.IndexFunc(supplied, is); at >= 0 {
		return &supplied[at]
	}
	return nil
}

// find returns the network in the program that a flag names, or a path without weights. A file of that name
// takes precedence. An unknown name, without a file, is an error.
func find(flag string) (Supplied, error) {
	path := Supplied{File: flag}
	_, none := os.Stat(flag)
	if none == nil {
		return path, nil
	}
	if own := Named(flag); own != nil {
		return *own, nil
	}
	if errors.Is(none, fs.ErrNotExist) && !strings.ContainsAny(flag, `./\`) {
		return path, fmt.Errorf("%s: no file and no network in the program has this name: give a path, or one of %s", flag, Names())
	}
	return path, nil
}

// OwnWeights returns the weights of the network in the program that a flag names, or nil for a path. A
// file of that name takes precedence. An unknown name, without a file, is an error.
func OwnWeights(flag string) ([]byte, error) {
	own, err := find(flag)
	return own.Weights, err
}

// ReadWeights returns the weights that the flag --weights names, a safetensors file or a network in the
// program, and the path of their file.
func ReadWeights(flag string) (path string, data []byte, err error) {
	own, err := find(flag)
	if own.Weights == nil && err == nil {
		own.Weights, err = namedfile.Read(flag, namedfile.MaxWeights)
	}
	return own.File, own.Weights, err
}

// Suit changes the default to the network in the program that made features, if there is one. sha256
// identifies it in the features' file.
func (f *Network) Suit(sha256 string) { f.taught = Maker(sha256) }

// Register adds all flags except --sound and --device.
func (f *Network) Register(flags *pflag.FlagSet) {
	flags.StringVar(&f.Weights, "weights", "", "weights: safetensors, PyTorch's .pth, ONNX, NumPy's .npz or a folder of .npy files, a run's folder, or "+Names()+", which are part of the program (default: "+network.ResNet12Photo+")")
	flags.StringVar(&f.Mean, "mean", "", "mean of red, green, blue in 0…1 (default: from the weights; for a .pth file ImageNet's)")
	flags.StringVar(&f.Std, "std", "", "standard deviation of red, green, blue (default: as for --mean)")
	flags.IntVar(&f.Size, "size", 0, "side of the network's input in pixels (default: from the weights)")
	flags.IntVar(&f.Resize, "resize", 0, "stretch the whole picture to a square of this side, then cut out the central --size pixels (default: scale the central square to --size). With grids and random crops: cut them from the whole picture, and treat each in this way")
	flags.IntVar(&f.Threads, "threads", 0, "number of threads (default: all cores)")
}

// RegisterSound adds the flag for recordings.
func (f *Network) RegisterSound(flags *pflag.FlagSet) {
	flags.BoolVar(&f.Sound, "sound", false, "recordings (MP3, WAV) instead of pictures, with the network "+network.ResNet12Sound)
	f.remedy = "add --sound"
}

// SetSound sets the kind of inputs, where a project or an index determines it.
func (f *Network) SetSound(sound bool) { f.Sound, f.remedy = sound, "" }

// RegisterDevice adds the flag of verbs that embed many images, for OpenOn.
func (f *Network) RegisterDevice(flags *pflag.FlagSet) {
	flags.StringVar(&f.Device, "device", "", "device that embeds images: "+training.DeviceHelp)
}

// OpenOn is Open for an embedder, with the network on the device of the flag. It notes a card on
// stderr. It returns an error if the ranks of the context's group have different networks.
func (f *Network) OpenOn(ctx context.Context, stderr io.Writer, embedder method.Embedder, otherwise weights.Meta) (*Encoder, error) {
	e, err := f.Open(stderr, learner.Options{Method: method.Method{Embedder: embedder}}, otherwise)
	if err != nil {
		return nil, err
	}
	if g := cluster.Of(ctx); g.Size() > 1 {
		sum, err := f.SHA256()
		if err := cluster.AgreeOnError(g, err); err != nil {
			return nil, err
		}
		if err := cluster.Same(g, "models", "SHA-256 "+sum[:12]); err != nil {
			return nil, err
		}
	}
	net, card, err := training.OnCard(ctx, f.Device, e.file)
	if err != nil {
		return nil, err
	}
	if net != nil {
		fmt.Fprintf(stderr, "embedding on %s\n", card)
		e.Network, e.Kernels = net, card
	}
	return e, nil
}

// Open reads the weights and opens a learner with opt, whose method may have only an embedder. The
// normalization comes from the flags, the weights, otherwise, or ImageNet, in this order. The last
// is noted on stderr.
func (f *Network) Open(stderr io.Writer, opt learner.Options, otherwise weights.Meta) (*Encoder, error) {
	err := f.Check()
	if err != nil {
		return nil, err
	}
	facts := netfile.Facts{InputSize: f.Size, Otherwise: otherwise}
	if facts.Mean, facts.Std, err = Normalization(f.Mean, f.Std); err != nil {
		return nil, err
	}
	s, err := f.source()
	if err != nil {
		return nil, err
	}
	file, err := netfile.Read(s.File, s.Weights, facts, false)
	if err != nil {
		return nil, err
	}
	opt.Kit, opt.Threads = learner.AllParts(), f.Threads
	opt.Preprocess = imaging.Preprocess{Size: file.Meta.InputSize, Resize: f.Resize, Mean: file.Meta.Mean, Std: file.Meta.Std}
	if f.Sound = f.Sound || file.Meta.Name == network.ResNet12Sound; f.Sound {
		opt.Hearing = sound.ForLearner()
	}
	l, err := learner.OpenFile(file.File, opt)
	if err != nil {
		return nil, err
	}
	NoteAssumed(stderr, file.Meta)
	e := &Encoder{stderr: stderr, file: file.File, remedy: cmp.Or(f.remedy, "give pictures"), Learner: l, Kernels: l.Info().Kernels, Preprocess: opt.Preprocess, Threads: f.Threads}
	e.Network, e.Embedder = l.Encoder()
	return e, nil
}

// NoteAssumed notes on stderr that the normalization of a network is assumed.
func NoteAssumed(stderr io.Writer, m weights.Meta) {
	if note := netfile.Note(m); note != "" {
		fmt.Fprintln(stderr, note)
	}
}

// Normalization parses the flags --mean and --std. The result for an empty flag is nil.
func Normalization(meanText, stdText string) (mean, std *[3]float32, err error) {
	if mean, err = parseRGB("mean", meanText); err != nil {
		return nil, nil, err
	}
	if std, err = parseRGB("std", stdText); err != nil {
		return nil, nil, err
	}
	if err := weights.CheckNormalization(*cmp.Or(mean, &[3]float32{}), *cmp.Or(std, &[3]float32{1, 1, 1})); err != nil {
		return nil, nil, fmt.Errorf("--%w", err)
	}
	return mean, std, nil
}

func parseRGB(flag, text string) (*[3]float32, error) {
	if text == "" {
		return nil, nil
	}
	rgb, err := weights.ParseRGB(text)
	if err != nil {
		return nil, fmt.Errorf("--%s %s: %w", flag, text, err)
	}
	return &rgb, nil
}

// source returns the network in the program, or the path of the weights. An unknown name is an error.
func (f *Network) source() (Supplied, error) {
	switch {
	case f.Weights != "":
		return find(f.Weights)
	case f.taught != nil:
		return *f.taught, nil
	case f.Sound:
		return *Named(network.ResNet12Sound), nil
	}
	return *Named(network.ResNet12Photo), nil
}

// Names lists the networks in the program.
func Names() string {
	var list []string
	for _, s := range supplied {
		list = append(list, s.Name)
	}
	return strings.Join(list, ", ")
}

// Name returns the name of the weights for people.
func (f *Network) Name() string {
	s, _ := f.source()
	return s.File
}

// SHA256 returns the SHA-256 of the weights in hexadecimal, as projects and indexes store it; see
// [netfile.Sum].
func (f *Network) SHA256() (string, error) {
	s, err := f.source()
	if err != nil {
		return "", err
	}
	if s.Weights != nil {
		return archive.Digest(s.Weights), nil
	}
	return netfile.Sum(s.File)
}

// Check returns an error for invalid flags.
func (f *Network) Check() error {
	switch {
	case f.Size != 0 && (f.Size < backbone.MinSize || f.Size > MaxSide):
		return fmt.Errorf("--size %d: want pixels from %d to %d", f.Size, backbone.MinSize, MaxSide)
	case f.Resize != 0 && (f.Resize < backbone.MinSize || f.Resize > MaxSide):
		return fmt.Errorf("--resize %d: want pixels from %d to %d", f.Resize, backbone.MinSize, MaxSide)
	case f.Threads < 0:
		return fmt.Errorf("--threads %d: want a positive number, or 0 for all cores", f.Threads)
	}
	return nil
}

// MaxSide is the maximum side of inputs in pixels.
const MaxSide = 1024
