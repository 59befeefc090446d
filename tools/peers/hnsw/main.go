// Command hnsw is a peer of the section index of tools/bench: a graph of neighbours
// (Malkov and Yashunin, 2016) by github.com/coder/hnsw. It is a module of its own, so that
// nothing else depends on that. A request is a line of JSON, and so is its answer.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/coder/hnsw"
)

// request names files of float32, little endian: vectors of length 1, and queries.
type request struct {
	Vectors, Queries string
	Channels         int
	Nearest          int // to find for each query
}

// answer is what came of it.
type answer struct {
	BuildS float64 `json:"buildS"`
	MB     float64 `json:"mb"` // of the heap, that the graph takes
	MS     float64 `json:"ms"` // a query, median
	Found  [][]int `json:"found"`
}

func main() {
	fmt.Println(`{"version": "coder/hnsw 0.6.1"}`)
	in, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for in.Scan() {
		var r request
		err := json.Unmarshal(in.Bytes(), &r)
		var a answer
		if err == nil {
			a, err = r.measure()
		}
		if err == nil {
			err = out.Encode(a)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "hnsw:", err)
			os.Exit(1)
		}
	}
}

func (r *request) measure() (a answer, err error) {
	before := heap()
	vectors, err := read(r.Vectors, r.Channels)
	if err != nil {
		return a, err
	}
	queries, err := read(r.Queries, r.Channels)
	if err != nil {
		return a, err
	}
	graph := hnsw.NewGraph[int]()
	graph.Distance, graph.Rng = hnsw.CosineDistance, rand.New(rand.NewSource(1))
	graph.EfSearch = max(graph.EfSearch, r.Nearest)
	began := time.Now()
	for i, v := range vectors {
		graph.Add(hnsw.MakeNode(i, v))
	}
	a.BuildS, a.MB = time.Since(began).Seconds(), heap()-before
	var took []float64
	for _, q := range queries {
		began := time.Now()
		nodes := graph.Search(q, r.Nearest)
		took = append(took, time.Since(began).Seconds()*1e3)
		var keys []int
		for _, n := range nodes {
			keys = append(keys, n.Key)
		}
		a.Found = append(a.Found, keys)
	}
	slices.Sort(took)
	a.MS = took[len(took)/2]
	return a, nil
}

// read reads vectors, each of so many channels.
func read(path string, channels int) ([][]float32, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	values := make([]float32, len(raw)/4)
	if _, err := binary.Decode(raw, binary.LittleEndian, values); err != nil {
		return nil, err
	}
	return slices.Collect(slices.Chunk(values, channels)), nil
}

// heap is what lives on it, in MB.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}
