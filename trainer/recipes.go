// Package trainer holds the recipes: the settings of the project's own training runs, which
// `deepemd train … --recipe NAME` reads. recipes/README.md has their results. Training runs natively
// only.
//
//   - data: images by class, splits of the classes, and episodes
//   - training: runs of pre-training and meta-training
//   - evaluate: the accuracy of a network over episodes, and of retrieval
//   - internal/learn: the learners, their batches and settings
//   - internal/backbone: ResNet-12 with a backward pass, its heads and its optimizer
//   - internal/device: its layers on the processor, and the seam to other devices
//   - internal/cuda: its layers on an NVIDIA card
//   - internal/bfloat16: the layers in mixed precision
//   - internal/layertest: checks of layers and their gradients
//
// The folder results holds runs, reports and networks. It is a separate module, so that
// programs which import this one do not download it.
package trainer

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

//go:embed recipes/pretrain/*.toml recipes/meta/*.toml
var recipes embed.FS

// Kinds of training, which have separate recipes.
const (
	Pretrain = "pretrain"
	Meta     = "meta"
)

// Recipes lists the names of the recipes of a kind of training in alphabetical order.
func Recipes(kind string) []string {
	entries, err := recipes.ReadDir(path.Join("recipes", kind))
	if err != nil {
		panic("trainer: no kind of training " + kind)
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".toml"))
	}
	return names
}

// ReadRecipe returns a recipe's settings as TOML.
//
// # Errors
//
// An unknown name; the error lists the known ones.
func ReadRecipe(kind, name string) ([]byte, error) {
	raw, err := recipes.ReadFile(path.Join("recipes", kind, name+".toml"))
	if err != nil {
		return nil, fmt.Errorf("no recipe %q for %s: there are %s", name, kind, strings.Join(Recipes(kind), ", "))
	}
	return raw, nil
}
