package reproduce

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/trainer/data"
)

// Network embeds pictures.
type Network struct {
	Name       string // for people
	SHA256     string // of the file of weights, hexadecimal
	Kernels    string
	Encoder    embed.Encoder // used from one goroutine at a time
	Preprocess imaging.Preprocess
}

// Dataset is a part of a data set.
type Dataset struct {
	Name  string // of the data, for people
	Split string // where the classes are listed, for people; may be empty
	Part  string // of the split
	Paper string // what the paper calls the data set; see [PaperName]

	set         *data.Set
	classes     []string
	fingerprint string
}

// NewDataset returns the part of a set that has those classes.
//
// # Errors
//
// Classes that the set does not have, files that cannot be looked at.
func NewDataset(set *data.Set, classes []string) (*Dataset, error) {
	if err := set.Require(classes); err != nil {
		return nil, err
	}
	d := &Dataset{Name: set.Name(), set: set, classes: classes}
	var pictures []data.Picture
	for _, class := range classes {
		pictures = append(pictures, set.Pictures(class)...)
	}
	var err error
	d.fingerprint, err = set.Fingerprint(pictures)
	return d, err
}

// episodes draws those of a setting.
func (d *Dataset) episodes(s Setting) ([]data.Episode, error) {
	set := d.set
	if s.Pictures > 0 {
		var some []data.Picture
		for _, class := range d.classes {
			of := d.set.Pictures(class)
			some = append(some, of[:min(s.Pictures, len(of))]...)
		}
		var err error
		if set, err = data.NamesOnly(d.Name, some, ""); err != nil {
			return nil, err
		}
	}
	sampler, err := data.NewSampler(set, d.classes, s.Way, s.Shot, s.Query, s.Seed)
	if err != nil {
		return nil, err
	}
	episodes := make([]data.Episode, s.Episodes)
	for i := range episodes {
		episodes[i] = sampler.Episode(i)
	}
	return episodes, nil
}

// names are those of all pictures of episodes, each once.
func names(episodes []data.Episode) []string {
	var all []string
	seen := map[string]bool{}
	for _, e := range episodes {
		for _, list := range [][]string{e.Support, e.Query} {
			for _, name := range list {
				if !seen[name] {
					seen[name] = true
					all = append(all, name)
				}
			}
		}
	}
	return all
}

// digest stands for whatever JSON says of values, in a few digits.
func digest(values ...any) string {
	h := sha256.New()
	for _, v := range values {
		raw, err := json.Marshal(v)
		if err != nil {
			panic(fmt.Sprintf("reproduce: %T has no JSON: %v", v, err)) // only our own types come here
		}
		h.Write(raw)
		h.Write([]byte{'\n'})
	}
	return hex.EncodeToString(h.Sum(nil)[:10])
}
