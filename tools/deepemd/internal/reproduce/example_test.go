package reproduce_test

import (
	"fmt"

	"github.com/deepemd/deepemd/tools/deepemd/internal/reproduce"
)

// Each table says what it compares.
func ExampleTables() {
	for _, table := range reproduce.Tables(reproduce.Plan{}) {
		fmt.Println(table.Title)
	}
	// Output:
	// Table 1: DeepEMD-FCN compared with image-level and local methods
	// Table 2: weights of the nodes
	// Table 3: local embeddings
	// Table 4: pre-training with the auxiliary task of rotations
	// Table 5: on another domain
	// Table 6: time of the EMD layer
	// Table 7: one shot and five
	// Figure: more shots
	// Table: retrieval
}
