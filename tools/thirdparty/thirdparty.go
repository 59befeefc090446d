// Package thirdparty finds what others made of what this project ships, and under which
// licences: the Go modules that the command and the programs for browsers link, Go
// itself, pictures, data, scripts of others, and what the networks learned from. It
// writes the notices that go with the project's archives, site and packages.
//
// A module without a licence, or with one that nobody has looked at yet, is an error: it
// says which file to read and where to write down what is found.
package thirdparty

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/deepemd/deepemd/tools/slim"
)

// A Product is one of the things that the project ships.
type Product string

// The products. Every archive of the command is of the first.
const (
	Command Product = "command" // deepemd, with the networks in it
	Site    Product = "site"    // what build/site holds
	NPM     Product = "npm"     // the packages for npm
)

// A Kind says what a part is.
type Kind string

// The kinds of parts.
const (
	Library Kind = "library" // code that is linked, or copied unchanged
	Data    Kind = "data"    // pictures
	Network Kind = "network" // weights, which the project made of data of others
)

// A Part is one thing in a product that others made, or that is made of what others made.
type Part struct {
	Name    string // as its makers call it; a Go module by its path
	Version string // "" for what has none
	Kind    Kind
	Ref     string // its package URL where it has one, else a name of its own; unique
	From    string // where it is at home
	Licence string // an SPDX expression, or a name where SPDX has none
	Note    string // what its licence asks to be said, or what users should know; one paragraph
	SHA256  string // of its only file, in hexadecimal digits; "" where there are more
	Texts   []Text // of its licences, whole
	In      []Product
	Needs   []string // references of the parts that it imports, sorted
}

// A Text is the text of a licence, or a notice that has to stay with what it is for.
type Text struct {
	Name    string // of its file, from the part's folder
	Content string
}

// A Program is a program that is shipped, with what it links.
type Program struct {
	Name  string // such as "deepemd linux/amd64" or "app.wasm"
	In    []Product
	Parts []string // references of the modules that it links, and of Go itself; sorted
}

// An Inventory is what was found.
type Inventory struct {
	Parts    []Part // by name
	Programs []Program
}

// Find lists what others made of what the module in the folder root ships. It asks the
// go command what every program links, and reads licences where the modules lie.
//
// # Errors
//
// It returns an error that names every module without a licence file, every file whose
// licence is not recognised, and every licence that the project has not accepted; and if
// the go command fails.
func Find(root string) (Inventory, error) {
	var found Inventory
	root, err := filepath.Abs(root) // the go command runs there
	if err != nil {
		return found, err
	}
	modfile, err := slim.GoApp(root)
	if err != nil {
		return found, err
	}
	modules, err := linked(root, Sources(modfile), &found)
	if err != nil {
		return found, err
	}
	parts, err := describe(modules)
	if err != nil {
		return found, err
	}
	given, err := others(root)
	if err != nil {
		return found, err
	}
	found.Parts = append(parts, given...)
	slices.SortFunc(found.Parts, func(a, b Part) int { return cmp.Compare(a.Name, b.Name) })
	return found, nil
}

// Of returns the parts of a product.
func (inv Inventory) Of(p Product) []Part {
	return slices.DeleteFunc(slices.Clone(inv.Parts), func(part Part) bool { return !slices.Contains(part.In, p) })
}
