package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/deepemd/deepemd/core/gallery"
)

// graphEntries are how many vectors the graph of neighbours gets: it takes a
// millisecond and more for each.
const graphEntries = 50_000

// graphRequest is what tools/peers/hnsw understands.
type graphRequest struct {
	Vectors, Queries  string
	Channels, Nearest int
}

// graph compares choosing candidates among all pictures with a graph of neighbours, over the
// first entries of an index: what the graph takes to make and to hold, and how many of the
// right candidates it finds.
func (b *bench) graph(x *gallery.Index, queries [][]float32) error {
	peer, err := speaking(exec.Command(filepath.Join(b.peers, "hnsw")))
	if err != nil {
		b.peerNotes["coder/hnsw"] = "not installed: make bench-peers installs it"
		return nil
	}
	defer peer.stop()
	dir, err := os.MkdirTemp("", "graph")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	entries := min(graphEntries, x.Len())
	vectors := make([][]float32, entries)
	for i := range vectors {
		vectors[i] = make([]float32, x.Channels())
		x.Feature(vectors[i], i)
	}
	r := graphRequest{Vectors: filepath.Join(dir, "vectors"), Queries: filepath.Join(dir, "queries"), Channels: x.Channels(), Nearest: indexCandidates}
	for path, rows := range map[string][][]float32{r.Vectors: vectors, r.Queries: queries} {
		var raw bytes.Buffer
		for _, row := range rows {
			if err := binary.Write(&raw, binary.LittleEndian, row); err != nil {
				return err
			}
		}
		if err := os.WriteFile(path, raw.Bytes(), 0o666); err != nil {
			return err
		}
	}
	found, err := peer.ask(r)
	if err != nil {
		return err
	}
	near := make([]float32, x.Len())
	var took []float64
	right := 0
	for q, query := range queries {
		began := time.Now()
		x.Cosines(near[:entries], query, 1)
		nearest := gallery.Nearest(near[:entries], indexCandidates)
		took = append(took, time.Since(began).Seconds()*1e3)
		for _, i := range found.Found[q] {
			if slices.Contains(nearest, int32(i)) {
				right++
			}
		}
	}
	slices.Sort(took)
	b.rows = append(b.rows, row{
		What: fmt.Sprintf("the nearest %d of %d, one thread", indexCandidates, entries), Ours: took[len(took)/2], Unit: "ms",
		Note: fmt.Sprintf("the graph takes %.0f s to make and %.0f MB, and finds %.1f%% of them", found.BuildS, found.MB, 100*float64(right)/float64(len(queries)*indexCandidates)),
		Peer: peer.name, Theirs: found.MS, Ratio: took[len(took)/2] / found.MS,
	})
	return nil
}
