package recipes

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

//go:embed pretrain/*.toml meta/*.toml
var files embed.FS

// Kinds of training, whose recipes are apart.
const (
	Pretrain = "pretrain"
	Meta     = "meta"
)

// Names lists the recipes of a kind of training, in the order of the alphabet.
func Names(kind string) []string {
	entries, err := files.ReadDir(kind)
	if err != nil {
		panic("recipes: no kind of training " + kind)
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".toml"))
	}
	return names
}

// Read returns a recipe's settings, TOML.
//
// # Errors
//
// An unknown name, listing those there are.
func Read(kind, name string) ([]byte, error) {
	raw, err := files.ReadFile(path.Join(kind, name+".toml"))
	if err != nil {
		return nil, fmt.Errorf("no recipe %q for %s: there are %s", name, kind, strings.Join(Names(kind), ", "))
	}
	return raw, nil
}
