// Command loops counts the instructions of the kernels' inner loops on arm64 and on amd64
// with AVX2, as they are built, without running them:
//
//	go run ./tools/loops
//
// It says nothing of speed. A machine that multiplies in as many vectors a cycle takes the
// more time for a loop the more instructions stand around the multiplications, and that is
// what it shows: instructions for each vector of multiply-adds (a multiply-add of every
// lane), and for the loops that multiply no matrices, for each turn, which takes one vector
// on either. Where the ratio is 1, NEON needs twice the instructions of AVX2 for the same
// work, since its vectors are half as long.
package main

import (
	"fmt"
	"io"
	"os"
	"text/tabwriter"
)

func main() {
	pairs, err := count()
	if err != nil {
		fmt.Fprintln(os.Stderr, "loops:", err)
		os.Exit(1)
	}
	print(os.Stdout, pairs)
}

func print(w io.Writer, pairs []pair) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "kernel\tAVX2\tNEON\tratio\t")
	for _, p := range pairs {
		fmt.Fprintf(t, "%s\t%.2f\t%.2f\t%.2f\t\n", p.name, p.avx2, p.neon, p.neon/p.avx2)
	}
	t.Flush()
}
