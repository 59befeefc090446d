package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
)

// session is one gallery: an index in memory, and the same in a file while the gallery is written.
// Before "open" it is empty.
type session struct {
	file gallery.Store // also written to memory

	catalog   gallery.Catalog
	index     *gallery.Index
	memory    gallery.Buffer
	writer    *gallery.Writer // between begin and end
	numbers   map[string]int  // numbers of the pictures by name; nil until needed
	scratch   gallery.Scratch
	compacted gallery.Buffer // result of compact
}

func (k *session) answer(req *request, values []byte) (any, error) {
	if req.What == "open" {
		return k.open(req.Catalog, values)
	}
	if k.catalog.Network.Nodes == 0 {
		return nil, errors.New("a request before open")
	}
	var set *embed.Set
	switch req.What {
	case "add", "search", "explain":
		var err error
		if set, err = k.set(req, values); err != nil {
			return nil, err
		}
	}
	if k.writer == nil && slices.Contains([]string{"add", "commit", "remove", "end"}, req.What) {
		return nil, errors.New("a change before begin")
	}
	switch req.What {
	case "has":
		return k.contains(req.Names), nil
	case "names":
		return k.names(), nil
	case "begin":
		return k.begin()
	case "add":
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
		weighting, err := weightingOf(req.Weighting)
		if err != nil {
			return nil, err
		}
		if req.What == "explain" {
			return k.explain(req.Name, set, weighting)
		}
		return k.search(set, weighting, req.Limit, req.Candidates)
	}
	return nil, fmt.Errorf("unknown request %q", req.What)
}

// open opens a gallery from the bytes of its file, or an empty one. An index must have embeddings of
// the same network as the catalog.
func (k *session) open(catalog gallery.Catalog, file []byte) (any, error) {
	n := catalog.Network
	if n.Nodes == 0 && n.Channels == 0 {
		return nil, badArgument("the engine has not embedded a picture yet, so the shape of its features is unknown: call engine.embed(picture) once, then open the gallery")
	}
	if n.Nodes < 1 || n.Nodes > method.MaxNodes || n.Channels < 1 || n.Channels > method.MaxChannels {
		return nil, badArgument("a gallery of %d nodes of %d channels: want 1 to %d nodes of 1 to %d channels", n.Nodes, n.Channels, method.MaxNodes, method.MaxChannels)
	}
	next := session{file: k.file, catalog: catalog}
	if len(file) > 0 {
		next.memory.Bytes = bytes.Clone(file) // the room is reused
		if _, err := next.opened(); err != nil {
			return nil, err
		}
		if c := next.index.Catalog(); c != nil && !sameEmbedding(&c.Network, &n) {
			return nil, coded{"wrong-network", fmt.Errorf("its pictures were embedded by %s, but the engine uses %s: open it with that network, or remove the gallery (removeGallery) and add its pictures again",
				described(&c.Network), described(&n))}
		}
	}
	*k = next
	return k.state(), nil
}

// sameEmbedding reports whether two networks produce the same embeddings.
func sameEmbedding(a, b *project.Network) bool {
	if a.Nodes != b.Nodes || a.Channels != b.Channels || a.SHA256 != b.SHA256 {
		return false
	}
	if a.SHA256 == "" {
		return a.Name == b.Name
	}
	return a.Embedder.Complete().Equal(b.Embedder.Complete())
}

func described(n *project.Network) string {
	digest := ""
	if len(n.SHA256) >= 8 {
		digest = ", SHA-256 " + n.SHA256[:8] + "…"
	}
	return fmt.Sprintf("%q (%d nodes of %d channels%s)", n.Name, n.Nodes, n.Channels, digest)
}

func (k *session) opened() (any, error) {
	index, err := gallery.Open(k.memory.Bytes)
	if err != nil {
		return nil, err
	}
	k.index, k.numbers = index, nil
	return k.state(), nil
}

func (k *session) state() state {
	s := state{Bytes: len(k.memory.Bytes)}
	if k.index != nil {
		s.Pictures, s.Deleted = k.index.Size(), k.index.Len()-k.index.Size()
	}
	if k.writer != nil {
		s.Waiting = k.writer.Len() - s.Pictures
	}
	return s
}

// contains reports for each name whether there is such a picture, committed or not.
func (k *session) contains(names []string) any {
	there := make([]bool, len(names))
	for i, name := range names {
		if k.writer != nil {
			there[i] = k.writer.Has(name)
		} else {
			_, there[i] = k.number(name)
		}
	}
	return map[string]any{"there": there}
}

// number returns the number of the picture with a name.
func (k *session) number(name string) (int, bool) {
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

// len returns the number of pictures in the index, including deleted ones.
func (k *session) len() int {
	if k.index == nil {
		return 0
	}
	return k.index.Len()
}

// names returns the names of all pictures, in the order in which they were added.
func (k *session) names() any {
	names := []string{}
	for i := range k.len() {
		if !k.index.Deleted(i) {
			names = append(names, k.index.Name(i))
		}
	}
	return map[string]any{"names": names}
}

func (k *session) begin() (any, error) {
	if k.writer != nil {
		return nil, errors.New("begin came twice")
	}
	to := both{k.file, &k.memory}
	if k.index != nil {
		k.writer = gallery.Extend(to, k.index, k.catalog)
		return k.state(), nil
	}
	k.memory.Bytes = nil
	writer, err := gallery.Create(to, k.catalog)
	if err != nil {
		return nil, err
	}
	k.writer = writer
	return k.opened()
}

// set returns the embedding that the values are.
func (k *session) set(req *request, values []byte) (*embed.Set, error) {
	n := &k.catalog.Network
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

// add adds a picture. The next commit writes it.
func (k *session) add(name string, set *embed.Set) (any, error) {
	if err := k.writer.Add(name, "", set); err != nil {
		if errors.Is(err, embed.ErrFlat) || errors.Is(err, match.ErrNotFinite) {
			return nil, err
		}
		return nil, badArgument("%w", err)
	}
	return k.state(), nil
}

// commit writes the added pictures to the index, in memory and in the file.
func (k *session) commit() (any, error) {
	if err := k.writer.CommitAll(); err != nil {
		return nil, err
	}
	return k.opened()
}

// remove deletes the pictures with these names; it ignores unknown names.
func (k *session) remove(names []string) (any, error) {
	var numbers []int
	for _, name := range names {
		if i, ok := k.number(name); ok {
			numbers = append(numbers, i)
			delete(k.numbers, name) // the same name can occur again
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

// end commits added pictures and stops writing.
func (k *session) end() (any, error) {
	if k.writer.Len() > 0 {
		if err := k.writer.Close(); err != nil {
			return nil, err
		}
	}
	k.writer = nil
	return k.opened()
}

// compact writes an index without the deleted pictures to memory that JavaScript reads, and returns
// its size. The worker opens it after writing it to the file.
func (k *session) compact() (any, error) {
	k.compacted.Bytes = nil
	if k.writer != nil || k.len() == 0 {
		return nil, errors.New("compact during a change, or of an empty gallery")
	}
	err := gallery.Compact(&k.compacted, k.index)
	return map[string]any{"size": len(k.compacted.Bytes)}, err
}
