package gallery

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

// Nearest returns the numbers of at most limit pictures by their cosines, or of All, the most
// similar first, of equal ones the lower number first. Pictures with −∞ are left out.
func Nearest(cosines []float32, limit int) []int32 {
	order := farthest{cosines: cosines}
	for i, v := range cosines {
		switch {
		case math.IsInf(float64(v), -1):
		case limit == All || len(order.pictures) < limit:
			order.pictures = append(order.pictures, int32(i))
			if len(order.pictures) == limit {
				heap.Init(&order)
			}
		case limit > 0 && v > cosines[order.pictures[0]]: // the number is higher, so of equals the old one stays
			order.pictures[0] = int32(i)
			heap.Fix(&order, 0)
		}
	}
	slices.SortFunc(order.pictures, order.compare)
	return order.pictures
}

// farthest is a heap of pictures, the least similar first.
type farthest struct {
	cosines  []float32
	pictures []int32
}

// compare is negative where picture a comes before b.
func (f *farthest) compare(a, b int32) int {
	if c := cmp.Compare(f.cosines[b], f.cosines[a]); c != 0 {
		return c
	}
	return cmp.Compare(a, b)
}

// Len implements heap.Interface.
func (f *farthest) Len() int { return len(f.pictures) }

// Less implements heap.Interface.
func (f *farthest) Less(a, b int) bool { return f.compare(f.pictures[a], f.pictures[b]) > 0 }

// Swap implements heap.Interface.
func (f *farthest) Swap(a, b int) { f.pictures[a], f.pictures[b] = f.pictures[b], f.pictures[a] }

// Push implements heap.Interface.
func (f *farthest) Push(v any) { f.pictures = append(f.pictures, v.(int32)) }

// Pop implements heap.Interface.
func (f *farthest) Pop() any {
	last := f.pictures[len(f.pictures)-1]
	f.pictures = f.pictures[:len(f.pictures)-1]
	return last
}
