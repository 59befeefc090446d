package cluster_test

import (
	"fmt"
	"sync"

	"github.com/deepemd/deepemd/internal/cluster"
)

// Three ranks sum what each of them has.
func Example() {
	var wait sync.WaitGroup
	for _, rank := range cluster.InProcess(3) {
		wait.Go(func() {
			values := []float64{1, float64(rank.Rank())}
			if err := rank.SumFloat64(values); err != nil {
				fmt.Println(err)
			}
			if cluster.Leads(rank) {
				fmt.Println(values)
			}
		})
	}
	wait.Wait()
	// Output: [3 3]
}
