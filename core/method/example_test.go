package method_test

import (
	"fmt"

	"github.com/deepemd/deepemd/core/method"
)

// The published method neither balances classes nor detects unknown images.
func ExamplePaper() {
	fmt.Println(method.Paper().Equal(method.Default()))
	fmt.Println(method.Paper())
	// Output:
	// false
	// embedder=fcn classifier=prototype weighting=cross-reference solver=simplex temperature=12.5 balance=off strangers=off
}
