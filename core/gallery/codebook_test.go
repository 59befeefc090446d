package gallery

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
)

// clustered returns sets of nodes around a few centers, with normal noise.
func clustered(sets, nodes, channels int, noise float64) []*embed.Set {
	r := rand.New(rand.NewPCG(3, 4))
	places := make([][]float32, 5)
	for i := range places {
		places[i] = make([]float32, channels)
		for c := range places[i] {
			places[i][c] = float32(3 * r.NormFloat64())
		}
	}
	all := make([]*embed.Set, sets)
	for i := range all {
		all[i] = &embed.Set{N: nodes, C: channels, Data: make([]float32, nodes*channels)}
		for n := range nodes {
			place := places[r.IntN(len(places))]
			for c := range channels {
				all[i].Node(n)[c] = place[c] + float32(noise*r.NormFloat64())
			}
		}
	}
	return all
}

// TestCodebook checks the error of a codebook. Two bits lose at least 11.75% of the square of a
// normal value (Max, "Quantizing for Minimum Distortion", 1960, table I), and centroids remove the
// nodes' common part.
func TestCodebook(t *testing.T) {
	for channels, size := range map[int]int{64: 5 + 16, 65: 5 + 17, 67: 5 + 17} {
		sets := clustered(60, 9, channels, 0.5)
		b := learnCodebook(sets)
		if got := b.record(9); got != 9*size {
			t.Errorf("%d channels: 9 nodes have %d bytes, want %d each", channels, got, size)
		}
		if want := []float64{-1.510, -0.4528, 0.4528, 1.510}; !(math.Abs(float64(b.levels[0])-want[0]) <= 0.06) || !(math.Abs(float64(b.levels[2])-want[2]) <= 0.04) {
			t.Errorf("levels %v, want about %v", b.levels, want)
		}
		var lost, noise float64
		for _, set := range sets {
			record := make([]byte, b.record(set.N))
			b.encode(record, set)
			got := make([]float32, len(set.Data))
			b.decode(got, record)
			for i, v := range set.Data {
				lost += float64(got[i]-v) * float64(got[i]-v)
				noise += 0.5 * 0.5
			}
		}
		if share := lost / noise; !(share <= 0.125) {
			t.Errorf("%d channels: %.3f of the noise is lost", channels, share)
		}
		if again := learnCodebook(sets); !reflect.DeepEqual(again.centroids, b.centroids) || again.levels != b.levels {
			t.Error("the same sets give another codebook")
		}
	}
}

// TestCodebookOfFew checks codebooks of few nodes, of any size.
func TestCodebookOfFew(t *testing.T) {
	for _, size := range []float64{1e-30, 1, 1e30} {
		set := &embed.Set{N: 2, C: 3, Data: []float32{float32(size), 0, 0, float32(size), float32(size / 2), 0}}
		b := learnCodebook([]*embed.Set{set})
		record := make([]byte, b.record(2))
		b.encode(record, set)
		got := make([]float32, 6)
		b.decode(got, record)
		if lost := apart(got, set.Data); !(lost < 0.1) {
			t.Errorf("size %g: %v becomes %v", size, set.Data, got)
		}
	}
	same := &embed.Set{N: 1, C: 2, Data: []float32{4, 5}}
	b := learnCodebook(slices.Repeat([]*embed.Set{same}, 3*nodesEach))
	record, got := make([]byte, b.record(1)), make([]float32, 2)
	b.encode(record, same)
	b.decode(got, record)
	if !reflect.DeepEqual(got, same.Data) {
		t.Errorf("equal nodes become %v", got)
	}
	zero := (&codebook{channels: 2, centroids: same.Data, levels: [levelCount]float32{0, 0, 0, 1}}).prepared()
	record = make([]byte, zero.record(1))
	zero.encode(record, same)
	if zero.decode(got, record); !slices.Equal(got, same.Data) {
		t.Errorf("a centroid becomes %v", got)
	}
	if want := slices.Repeat(same.Data, 3); !slices.Equal(b.centroids, want) { // with nodes or without
		t.Errorf("equal nodes have the centroids %v, want %v", b.centroids, want)
	}
}

// TestCodebookOfMany checks that a codebook is learned from evenly spaced nodes: of twice as many as it
// takes, from every second one.
func TestCodebookOfMany(t *testing.T) {
	pair := &embed.Set{N: 2, C: 2, Data: []float32{4, 5, 7, 2}}
	b := learnCodebook(slices.Repeat([]*embed.Set{pair}, learnNodes))
	for i := range len(b.centroids) / 2 {
		if !slices.Equal(b.centroid(i), b.centroid(0)) {
			t.Fatalf("centroids %v and %v, want the same", b.centroid(0), b.centroid(i))
		}
	}
}

// Values of at most four kinds are their own levels: their squared error is 0.
func TestLevelsOfFew(t *testing.T) {
	for _, values := range [][]float32{{7}, {0, 0, 0, 1}, {-3, 2, 2, 2, 2, 2}, {-2, -1, 3, 8}} {
		got := levels(slices.Clone(values))
		for _, v := range values {
			if !slices.Contains(got[:], v) || !slices.IsSorted(got[:]) {
				t.Errorf("the levels of %v are %v", values, got)
			}
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	sets := clustered(100, 25, 320, 0.5)
	book := learnCodebook(sets)
	record := make([]byte, book.record(25))
	for b.Loop() {
		book.encode(record, sets[7])
	}
}

func BenchmarkDecode(b *testing.B) {
	sets := clustered(100, 25, 320, 0.5)
	book := learnCodebook(sets)
	record, nodes := make([]byte, book.record(25)), make([]float32, 25*320)
	book.encode(record, sets[7])
	for b.Loop() {
		book.decode(nodes, record)
	}
}
