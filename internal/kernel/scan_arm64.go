package kernel

//go:noescape
func scanRows(dst *int32, rows *byte, query *int16, n, c int)

func vectorScan(dst []int32, rows []byte, query []int16) {
	scanRows(&dst[0], &rows[0], &query[0], len(dst), len(query))
}
