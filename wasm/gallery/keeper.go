package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/project"
)

// most is how many nodes and channels a gallery's pictures have at most.
const most = 1 << 12

// keeper keeps one gallery: an index in memory, and the same in a file while that is
// written. The zero value waits for "open".
type keeper struct {
	file gallery.Store // what is written to beside memory

	catalogue gallery.Catalogue
	index     *gallery.Index
	memory    gallery.Buffer
	writer    *gallery.Writer // from begin to end
	numbers   map[string]int  // of the pictures, by name; nil until somebody asks
	scratch   gallery.Scratch
	compacted gallery.Buffer // what compact has made
}

// answer answers a request about the values.
func (k *keeper) answer(req *request, values []byte) (any, error) {
	if req.What == "open" {
		return k.open(req.Catalogue, values)
	}
	if k.catalogue.Network.Nodes == 0 {
		return nil, errors.New("a request came before open")
	}
	switch req.What {
	case "has":
		return k.has(req.Names), nil
	case "names":
		return k.names(), nil
	case "begin":
		return k.begin()
	case "add":
		set, err := k.set(req, values)
		if err != nil {
			return nil, err
		}
		return k.add(req.Name, set)
	case "commit":
		return k.commit()
	case "remove":
		return k.remove(req.Names)
	case "end":
		return k.end()
	case "compact":
		return k.compact()
	case "search", "explain":
		set, err := k.set(req, values)
		if err != nil {
			return nil, err
		}
		weighting, err := weightingOf(req.Weighting)
		if err != nil {
			return nil, err
		}
		if req.What == "explain" {
			return k.explain(req.Name, set, weighting)
		}
		return k.search(set, weighting, req.Limit, req.Candidates)
	}
	return nil, fmt.Errorf("nothing answers requests of the kind %q", req.What)
}

// open takes the bytes of a file, none for a gallery without pictures. The catalogue says
// whose embeddings will come: those of an index must be the same network's.
func (k *keeper) open(catalogue gallery.Catalogue, file []byte) (any, error) {
	n := catalogue.Network
	if n.Nodes < 1 || n.Nodes > most || n.Channels < 1 || n.Channels > most {
		return nil, badArgument("a gallery of %d nodes of %d channels: want from 1 to %d; the engine says which as soon as it has seen a picture", n.Nodes, n.Channels, most)
	}
	next := keeper{file: k.file, catalogue: catalogue}
	if len(file) > 0 {
		next.memory.Bytes = bytes.Clone(file) // the room is used again
		if _, err := next.opened(); err != nil {
			return nil, err
		}
		if c := next.index.Catalogue(); c != nil && !same(&c.Network, &n) {
			return nil, coded{"wrong-network", fmt.Errorf("its pictures were embedded by %s, and the engine embeds by %s: open it with that network, or remove the gallery (removeGallery) and add its pictures again",
				described(&c.Network), described(&n))}
		}
	}
	*k = next
	return k.state(), nil
}

// same reports whether two networks make the same embeddings.
func same(a, b *project.Network) bool {
	if a.Nodes != b.Nodes || a.Channels != b.Channels || a.SHA256 != b.SHA256 {
		return false
	}
	if a.SHA256 == "" {
		return a.Name == b.Name
	}
	return a.Embedder.Complete().Equal(b.Embedder.Complete())
}

// described names a network for people.
func described(n *project.Network) string {
	digest := ""
	if len(n.SHA256) >= 8 {
		digest = ", SHA-256 " + n.SHA256[:8] + "…"
	}
	return fmt.Sprintf("%q (%d nodes of %d channels%s)", n.Name, n.Nodes, n.Channels, digest)
}

// opened reads the index from memory.
func (k *keeper) opened() (any, error) {
	index, err := gallery.Open(k.memory.Bytes)
	if err != nil {
		return nil, err
	}
	k.index, k.numbers = index, nil
	return k.state(), nil
}

// state says how large the gallery is.
func (k *keeper) state() state {
	s := state{Bytes: len(k.memory.Bytes)}
	if k.index != nil {
		s.Pictures, s.Deleted = k.index.Size(), k.index.Len()-k.index.Size()
	}
	if k.writer != nil {
		s.Waiting = k.writer.Len() - s.Pictures
	}
	return s
}

// has says of names whether there are pictures of them, those that wait among them.
func (k *keeper) has(names []string) any {
	there := make([]bool, len(names))
	for i, name := range names {
		if k.writer != nil {
			there[i] = k.writer.Has(name)
		} else {
			_, there[i] = k.number(name)
		}
	}
	return struct {
		There []bool `json:"there"`
	}{there}
}

// number is that of the picture of a name.
func (k *keeper) number(name string) (int, bool) {
	if k.numbers == nil {
		k.numbers = map[string]int{}
		for i := range k.len() {
			if !k.index.Deleted(i) {
				k.numbers[k.index.Name(i)] = i
			}
		}
	}
	i, ok := k.numbers[name]
	return i, ok
}

// len is the number of pictures in the index, those that were deleted included.
func (k *keeper) len() int {
	if k.index == nil {
		return 0
	}
	return k.index.Len()
}

// names are those of all pictures, in the order in which they were added.
func (k *keeper) names() any {
	names := []string{}
	for i := range k.len() {
		if !k.index.Deleted(i) {
			names = append(names, k.index.Name(i))
		}
	}
	return struct {
		Names []string `json:"names"`
	}{names}
}

// begin begins to write.
func (k *keeper) begin() (any, error) {
	if k.writer != nil {
		return nil, errors.New("begin came twice")
	}
	to := both{k.file, &k.memory}
	if k.index != nil {
		k.writer = gallery.Extend(to, k.index, k.catalogue)
		return k.state(), nil
	}
	k.memory.Bytes = nil
	writer, err := gallery.Create(to, k.catalogue)
	if err != nil {
		return nil, err
	}
	k.writer = writer
	return k.opened()
}

// set is the picture whose embedding the values are.
func (k *keeper) set(req *request, values []byte) (*embed.Set, error) {
	n := &k.catalogue.Network
	want := n.Nodes * n.Channels
	if req.Summarized {
		want += n.Channels
	}
	if len(values) != 4*want {
		return nil, badArgument("%d bytes of features, want %d: %d nodes of %d channels", len(values), 4*want, n.Nodes, n.Channels)
	}
	all := floats(values)
	set := &embed.Set{N: n.Nodes, C: n.Channels, Data: all[:n.Nodes*n.Channels]}
	if req.Summarized {
		set.Summary = all[len(set.Data):]
	}
	return set, nil
}

// add adds a picture, which counts from the next commit on.
func (k *keeper) add(name string, set *embed.Set) (any, error) {
	if err := k.writing(); err != nil {
		return nil, err
	}
	if err := k.writer.Add(name, "", set); err != nil {
		if errors.Is(err, embed.ErrFlat) || errors.Is(err, match.ErrNotFinite) {
			return nil, err
		}
		return nil, badArgument("%w", err)
	}
	return k.state(), nil
}

// commit makes what was added part of the index, in memory and in the file.
func (k *keeper) commit() (any, error) {
	if err := k.writing(); err != nil {
		return nil, err
	}
	if err := k.writer.CommitAll(); err != nil {
		return nil, err
	}
	return k.opened()
}

// remove deletes the pictures of the names that there are.
func (k *keeper) remove(names []string) (any, error) {
	if err := k.writing(); err != nil {
		return nil, err
	}
	var numbers []int
	for _, name := range names {
		if i, ok := k.number(name); ok {
			numbers = append(numbers, i)
			delete(k.numbers, name) // a name that comes twice
		}
	}
	if len(numbers) == 0 {
		return k.state(), nil
	}
	if err := k.writer.Delete(k.index, numbers...); err != nil {
		k.numbers = nil
		return nil, err
	}
	return k.opened()
}

// end ends writing; what waits is committed.
func (k *keeper) end() (any, error) {
	if err := k.writing(); err != nil {
		return nil, err
	}
	if k.writer.Len() > 0 {
		if err := k.writer.Close(); err != nil {
			return nil, err
		}
	}
	k.writer = nil
	return k.opened()
}

// compact makes an index without the pictures that were deleted, in memory that JavaScript
// reads; to be opened once the file has it. The answer is its size.
func (k *keeper) compact() (any, error) {
	k.compacted.Bytes = nil
	if k.writer != nil || k.len() == 0 {
		return nil, errors.New("compact came before anything was written, or meanwhile")
	}
	err := gallery.Compact(&k.compacted, k.index)
	return struct {
		Size int `json:"size"`
	}{len(k.compacted.Bytes)}, err
}

func (k *keeper) writing() error {
	if k.writer == nil {
		return errors.New("a change came before begin")
	}
	return nil
}
