//go:build goexperiment.simd

package solver

import "simd/archsimd"

func init() { sweep = sweepNEON }

// sweepNEON is sweepGeneric for eight columns at a time. Most have no negative reduced cost, which
// one comparison of signs detects.
func sweepNEON(list []candidate, cost, v, u []int64, row, m int32) (n int) {
	for i, u := range u {
		shift := archsimd.BroadcastInt64x2(u)
		cost, columns := cost[i*len(v):][:len(v)], v
		for j := 0; j < len(v); j += sweepLanes {
			c, w := (*[sweepLanes]int64)(cost), (*[sweepLanes]int64)(columns)
			cost, columns = cost[sweepLanes:], columns[sweepLanes:]
			reduced := func(at int) archsimd.Int64x2 {
				arc, column := archsimd.LoadInt64x2Array((*[2]int64)(c[at:])), archsimd.LoadInt64x2Array((*[2]int64)(w[at:]))
				return arc.Add(shift).Sub(column)
			}
			signs := reduced(0).Or(reduced(2)).Or(reduced(4).Or(reduced(6)))
			if signs.GetElem(0)|signs.GetElem(1) >= 0 {
				continue
			}
			for e := range sweepLanes {
				list[n] = candidate{c[e], row + int32(i), m + int32(j+e)}
				if c[e]+u < w[e] {
					n++
				}
			}
		}
	}
	return n
}
