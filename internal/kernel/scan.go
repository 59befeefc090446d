package kernel

import "fmt"

// ScanMost returns the largest absolute value in a query for [Set.Scan] with rows of c bytes. It keeps
// sums within 32 bits.
func ScanMost(c int) int { return min(1<<13-1, (1<<31-1)/(127*max(c, 1))) }

// Scan multiplies a query with rows of bytes: dst[i] = Σ_k rows[i·c+k]·query[k]. Bytes are two's
// complement, and c, the length of the query, is a multiple of [Lanes]. Sums are exact if rows do
// not contain −128 and the query does not exceed [ScanMost].
func (s *Set) Scan(dst []int32, rows []byte, query []int16) {
	c := len(query)
	if c == 0 || c%Lanes != 0 || len(rows) != len(dst)*c {
		panic(fmt.Sprintf("kernel: %d bytes for %d rows of %d", len(rows), len(dst), c))
	}
	if len(dst) > 0 {
		s.scan(dst, rows, query)
	}
}

func genericScan(dst []int32, rows []byte, query []int16) {
	c := len(query)
	for i := range dst {
		row := rows[i*c:][:c]
		sum := int32(0)
		for k, q := range query {
			sum += int32(int8(row[k])) * int32(q)
		}
		dst[i] = sum
	}
}
