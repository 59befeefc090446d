package vectors_test

import (
	"fmt"

	"github.com/deepemd/deepemd/trainer/format/vectors"
)

// What psql prints, and what a program writes.
func ExampleParseCandidates() {
	fmt.Println(vectors.ParseCandidates([]byte("17\n4\n")))
	fmt.Println(vectors.ParseCandidates([]byte(`[17, "mugs/blue.jpg"]`)))
	// Output:
	// [17 4] <nil>
	// [17 mugs/blue.jpg] <nil>
}
