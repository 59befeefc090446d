// Package project defines the manifest of a project: its classes, examples and method, as JSON.
// FORMAT.md in this folder describes the file format for other programs; package archive reads and
// writes files.
//
// The studio uses these types, and reads and writes files with wasm/npm/project.js.
package project

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/deepemd/deepemd/core/method"
)

// Format and Version are the first fields of a manifest.
const (
	Format  = "deepemd-project"
	Version = 2 // the only supported version
)

// Kinds of projects.
const (
	KindImage = "image"
	KindSound = "sound"
	// KindFeatures is a project with features from another program. The file always has their
	// embeddings, and may lack pictures. Older programs reject unknown kinds.
	KindFeatures = "features"
)

// RequiresNothing is in Manifest.Requires if the project has a background class: a program that
// treats it like other classes would answer wrongly.
const RequiresNothing = "nothing"

// Limits for files: above the capacity of devices, but low enough that a hostile file cannot
// request excessive memory.
const (
	MaxExamples = 100_000
	MaxSide     = 1 << 13 // of a picture, in pixels
	MaxClasses  = 10_000
)

// Errors, for errors.Is. Returned errors wrap them with the cause and the remedy.
var (
	ErrForeign = errors.New("not a project file")
	ErrNewer   = errors.New("made by a newer version")
	ErrDamaged = errors.New("damaged")
)

// Manifest is a project without pictures and embeddings.
type Manifest struct {
	Format    string    `json:"format"`
	Version   int       `json:"version"`
	Kind      string    `json:"kind"` // KindImage, KindSound or KindFeatures
	Name      string    `json:"name"`
	Generator string    `json:"generator,omitempty"` // the writing program, for people
	Created   time.Time `json:"created,omitzero"`
	Saved     time.Time `json:"saved,omitzero"`

	// Method holds all settings of recognition, so that new defaults do not change the project.
	Method  method.Method `json:"method"`
	Classes []Class       `json:"classes"`

	// Preprocess is the preprocessing of pictures for the network. Projects of other kinds have
	// their own fields for it.
	Preprocess *Preprocess `json:"preprocess,omitempty"`
	// Network made the embeddings, or is nil without embeddings. For features it has their name and
	// shape.
	Network *Network `json:"network,omitempty"`

	// Extensions holds data of other programs, by name. A program must preserve unknown extensions.
	// Requires names the extensions without which answers would be wrong: a program that does not
	// know one of them must reject the file.
	Extensions map[string]json.RawMessage `json:"extensions,omitempty"`
	Requires   []string                   `json:"requires,omitempty"`
}

// Class is a class with its examples, in display order.
type Class struct {
	ID       string    `json:"id"`
	Label    string    `json:"label"`
	Hue      int       `json:"hue"` // index of the page's colors
	Disabled bool      `json:"disabled,omitempty"`
	Nothing  bool      `json:"nothing,omitempty"` // a background class: RequiresNothing
	Examples []Example `json:"examples"`
}

// Example is one example. Its embedding has the same index among all examples, in the order of
// classes.
type Example struct {
	ID      string `json:"id"`
	Picture string `json:"picture,omitempty"` // the archive's entry; "" for features without a picture
}

// Preprocess is the imaging.Preprocess of a project: the side of the network's input, the side that
// pictures are scaled to before the center is cut out (0: the central square is cut out and
// scaled), and the normalization of RGB.
type Preprocess struct {
	Size   int        `json:"size"`
	Resize int        `json:"resize"`
	Mean   [3]float32 `json:"mean"`
	Std    [3]float32 `json:"std"`
}

// Network made the embeddings in the file. They are not comparable with embeddings of another
// network or embedder.
type Network struct {
	Name     string          `json:"name"`
	SHA256   string          `json:"sha256,omitempty"`  // of the weights file, hexadecimal
	Embedder method.Embedder `json:"embedder,omitzero"` // of the embeddings
	Nodes    int             `json:"nodes"`             // per picture
	Channels int             `json:"channels"`          // per node
}

// Examples returns the number of examples of all classes.
func (m *Manifest) Examples() int {
	n := 0
	for _, c := range m.Classes {
		n += len(c.Examples)
	}
	return n
}

// Validate returns an error unless m is a consistent manifest of a known version. The error names the
// field; it wraps ErrForeign or ErrNewer for another format and for what this version does not know.
func (m *Manifest) Validate() error {
	if err := m.validateHead(); err != nil {
		return err
	}
	switch {
	case len(m.Classes) > MaxClasses:
		return fmt.Errorf("%d classes: want at most %d", len(m.Classes), MaxClasses)
	case m.Examples() > MaxExamples:
		return fmt.Errorf("%d examples: want at most %d", m.Examples(), MaxExamples)
	}
	if err := cmp.Or(method.CheckText("the project's name", m.Name), m.validateClasses()); err != nil {
		return err
	}
	if p := m.Preprocess; p != nil && (p.Size < 1 || p.Size > MaxSide || p.Resize < 0 || p.Resize > MaxSide || !(slices.Min(p.Std[:]) > 0)) {
		return fmt.Errorf("impossible preprocessing %+v", *p)
	}
	if n := m.Network; n != nil {
		if n.Nodes < 1 || n.Nodes > method.MaxNodes || n.Channels < 1 || n.Channels > method.MaxChannels {
			return fmt.Errorf("embeddings of %d×%d", n.Nodes, n.Channels)
		}
		if err := method.CheckText("the name of the network", n.Name); err != nil {
			return err
		}
		if err := n.Embedder.Complete().Validate(); err != nil {
			return fmt.Errorf("network: %w", err)
		}
	} else if m.Kind == KindFeatures {
		return fmt.Errorf("features without the field %q", "network")
	}
	if err := m.Method.Validate(); err != nil {
		return fmt.Errorf("method: %w", err)
	}
	return nil
}

// validateHead returns the errors of Validate for another format and for what this version does not
// know.
func (m *Manifest) validateHead() error {
	switch {
	case m.Format != Format:
		return fmt.Errorf("%w: its manifest says %.40q, not %q", ErrForeign, m.Format, Format)
	case m.Version > Version:
		return fmt.Errorf("%w of deepemd: it has version %d, this one reads %d; update, then open it again", ErrNewer, m.Version, Version)
	case m.Version < Version:
		return fmt.Errorf("unknown version %d", m.Version)
	case m.Kind != KindImage && m.Kind != KindSound && m.Kind != KindFeatures:
		return fmt.Errorf("%w of deepemd, or damaged: it holds a project of kind %.40q", ErrNewer, m.Kind)
	}
	for _, name := range m.Requires {
		if name != RequiresNothing {
			return fmt.Errorf("%w of deepemd: it needs %.40q, which this one does not support; update, then open it again", ErrNewer, name)
		}
	}
	return nil
}

// Stamp sets the format and version, and RequiresNothing if there is a background class.
func (m *Manifest) Stamp() {
	m.Format, m.Version = Format, Version
	nothing := slices.ContainsFunc(m.Classes, func(c Class) bool { return c.Nothing })
	rest := slices.DeleteFunc(slices.Clone(m.Requires), func(name string) bool { return name == RequiresNothing })
	if m.Requires = rest; nothing {
		m.Requires = append(rest, RequiresNothing)
	}
}

func (m *Manifest) validateClasses() error {
	classes, examples, pictures := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, c := range m.Classes {
		if err := cmp.Or(method.CheckText("the id of a class", c.ID), method.CheckText("the label of a class", c.Label)); err != nil {
			return err
		}
		if c.ID == "" || classes[c.ID] {
			return fmt.Errorf("class id %.40q is empty or duplicate", c.ID)
		}
		classes[c.ID] = true
		for _, e := range c.Examples {
			if err := cmp.Or(method.CheckText("the id of an example", e.ID), method.CheckText("the name of a picture", e.Picture)); err != nil {
				return err
			}
			if e.ID == "" || examples[e.ID] {
				return fmt.Errorf("example id %.40q is empty or duplicate", e.ID)
			}
			examples[e.ID] = true
			// Otherwise a small file could have a hundred thousand examples.
			if e.Picture != "" && pictures[e.Picture] {
				return fmt.Errorf("two examples have the picture %.60q: want one picture per example", e.Picture)
			}
			pictures[e.Picture] = true
		}
	}
	return nil
}

// Damaged returns an error that wraps ErrDamaged.
func Damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s; open another copy of it", ErrDamaged, fmt.Sprintf(format, args...))
}

// ParseManifest parses and validates a manifest. Absent settings of its method have their defaults.
//
// Errors wrap ErrForeign, ErrNewer or ErrDamaged.
func ParseManifest(text []byte) (Manifest, error) {
	// The rest of a newer version may be unreadable.
	var head struct {
		Format   string   `json:"format"`
		Version  int      `json:"version"`
		Kind     string   `json:"kind"`
		Requires []string `json:"requires"`
	}
	if !utf8.Valid(text) {
		return Manifest{}, Damaged("manifest.json is not UTF-8")
	}
	err := json.Unmarshal(text, &head)
	m := Manifest{Format: head.Format, Version: head.Version, Kind: head.Kind, Requires: head.Requires}
	if unknown := m.validateHead(); errors.Is(unknown, ErrNewer) || errors.Is(unknown, ErrForeign) && err == nil {
		return Manifest{}, unknown
	}
	m = Manifest{Method: method.Default()}
	if err := json.Unmarshal(text, &m); err != nil {
		return Manifest{}, Damaged("manifest.json: %v", err)
	}
	m.Method.Embedder = m.Method.Embedder.Complete()
	if err := m.Validate(); err != nil {
		return m, Damaged("%v", err)
	}
	return m, nil
}
