package reproduce

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// Cache stores features in a folder. The features of a network, an embedder and a part of a dataset
// are in a subfolder, as arrays of some images each with a list of their names, so that an
// interrupted run continues. Deleting it is always safe.
type Cache struct {
	Folder  string // created on demand
	Threads int    // goroutines that read images; 0 for all cores
	// MostPatches is the largest number of random crops in any request.
	MostPatches int

	held map[string]evaluate.Features // by key, of base embedders
}

// partSize is the number of passes through the network between writes.
const partSize = 1024

// Features returns the features of the named images of a dataset by an embedder, and embeds the
// missing ones.
//
// # Errors
//
// The errors of reading and embedding images and of writing to the folder, and the context's;
// *atomicfile.InUseError while another process embeds images of the set for the same network.
// Unreadable files of the folder are replaced.
func (c *Cache) Features(ctx context.Context, n *Network, d *Dataset, choice method.Embedder, names []string, show evaluate.Show) (evaluate.Features, error) {
	var of []evaluate.Features
	for _, base := range bases(choice, c.MostPatches) {
		features, err := c.base(ctx, n, d, base, names, show)
		if err != nil {
			return nil, err
		}
		of = append(of, features)
	}
	return derive(choice, of, names, n.Preprocess.Size), nil
}

// base is Features for an embedder that is not derived from others.
func (c *Cache) base(ctx context.Context, n *Network, d *Dataset, choice method.Embedder, names []string, show evaluate.Show) (_ evaluate.Features, err error) {
	g, key := cluster.Of(ctx), c.key(n, d, choice)
	features, err := c.loadShared(g, key)
	if err != nil {
		return nil, err
	}
	missing := absent(features, names)
	if len(missing) == 0 {
		return features, nil
	}
	embedder, err := learner.AllParts().Embedder(choice)
	if err != nil {
		return nil, err
	}
	var held *atomicfile.Lock
	if cluster.IsFirst(g) {
		// Two processes do not embed the same images.
		if held, err = atomicfile.HoldFolder(filepath.Join(c.Folder, key)); err != nil {
			err = fmt.Errorf("the folder of features: %w", err)
		}
	}
	if err := cluster.AgreeOnError(g, err); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	// Another process may have embedded some in the meantime.
	delete(c.held, key)
	if features, err = c.loadShared(g, key); err != nil {
		return nil, err
	}
	if missing = absent(features, names); len(missing) == 0 {
		return features, nil
	}
	err = show(fmt.Sprintf("images of %s embedded (%s)", d.Name, describe(choice)), func(progress evaluate.Progress) error {
		done := 0
		for part := range slices.Chunk(missing, max(partSize/crops(choice), 1)) {
			some, err := evaluate.Extract(ctx, part, d.set.Image, evaluate.Extraction{
				Encoder: n.Encoder, Embedder: embedder, Preprocess: n.Preprocess, Threads: c.Threads,
				Progress: func(work func(evaluate.Progress) error) error {
					return work(func(now, _ int) { progress(done+now, len(missing)) })
				},
			})
			if err != nil {
				return err
			}
			done += len(part)
			maps.Copy(features, some)
			if !cluster.IsFirst(g) {
				continue
			}
			if err := c.write(key, part, some); err != nil {
				return err
			}
		}
		return nil
	})
	return features, err
}

// loadShared returns the features in memory or, at the first call, in the folder, which the first of the
// ranks of a group reads for all.
func (c *Cache) loadShared(g cluster.Group, key string) (features evaluate.Features, err error) {
	if features := c.held[key]; features != nil {
		return features, nil
	}
	if cluster.IsFirst(g) {
		features = c.load(key)
	}
	if features, err = cluster.FromLeader(g, features, nil); err != nil {
		return nil, err
	}
	if features == nil {
		features = evaluate.Features{}
	}
	if c.held == nil {
		c.held = map[string]evaluate.Features{}
	}
	c.held[key] = features
	return features, nil
}

func absent(features evaluate.Features, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return features[name] != nil })
}

// key identifies the features of an embedder.
func (c *Cache) key(n *Network, d *Dataset, choice method.Embedder) string {
	return digest(n.SHA256, n.Preprocess, n.Kernels, d.fingerprint, store(choice))
}

func (c *Cache) load(key string) evaluate.Features {
	features := evaluate.Features{}
	// An absent folder and remaining temporary files are not errors.
	_ = atomicfile.RemoveAbandoned(filepath.Join(c.Folder, key))
	parts, _ := fs.Glob(os.DirFS(filepath.Join(c.Folder, key)), "*"+arrays.Ending) // the pattern is well formed
	for _, part := range parts {
		array, list, err := arrays.ReadListed(filepath.Join(c.Folder, key, part))
		if err != nil {
			continue // it is embedded again
		}
		if some, err := arrays.Sets(array, list.Names); err == nil {
			maps.Copy(features, some)
		}
	}
	return features
}

func (c *Cache) write(key string, names []string, features evaluate.Features) error {
	array, err := arrays.Features(features, names)
	if err != nil {
		return err
	}
	return arrays.List{Names: names}.Write(filepath.Join(c.Folder, key, digest(names)+arrays.Ending), array)
}
