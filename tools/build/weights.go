package main

import (
	"crypto/sha256"
	_ "embed" // the files of the package
	"encoding/json"
	"errors"
	"fmt"

	"github.com/deepemd/deepemd/core"
	"github.com/deepemd/deepemd/core/weights"
)

// model is a network with a package.
type model struct {
	use  string // its use
	name string
	from string // source folder, which has the model card
	file []byte // safetensors
}

// card is the description in the package of a network.
type card struct {
	Name      string     `json:"name"`
	Arch      string     `json:"arch"`
	Widths    []int      `json:"widths"`
	InputSize int        `json:"inputSize"`
	Mean      [3]float32 `json:"mean"`
	Std       [3]float32 `json:"std"`
	TrainedOn string     `json:"trainedOn"`
	SHA256    string     `json:"sha256"`
}

// weights writes the package of a network: the file, its address and its card.
func (s *folder) weights(n model) error {
	to, file := n.name, n.name+".safetensors"
	f, err := weights.Decode(file, n.file)
	if err != nil {
		return err
	}
	about, err := json.MarshalIndent(card{
		n.name, f.Meta.Arch, f.Meta.Widths, f.Meta.InputSize, f.Meta.Mean, f.Meta.Std, f.Meta.TrainedOn, fmt.Sprintf("%x", sha256.Sum256(n.file)),
	}, "", "  ")
	if err != nil {
		return err
	}
	err = s.writeAll(to, map[string][]byte{
		file: n.file, "package.json": fmt.Appendf(nil, weightsManifest, n.name, core.Version, n.use, project, n.from),
		"index.js": fmt.Appendf(nil, `/** The address of the network's file. */
export const url = new URL("./%s", import.meta.url);

/** Its size in bytes. */
export const bytes = %d;

/** The network in short; README.md has the data and their license, the recipe and the accuracy. */
export const card = %s;
`, file, len(n.file), about),
		"index.d.ts": weightsTypes,
	})
	return errors.Join(err, s.readme(n.from, to))
}

// The files of a network's package: its package.json, a format of [fmt], and its types.
var (
	//go:embed weights.package.json
	weightsManifest string
	//go:embed weights.d.ts
	weightsTypes []byte
)
