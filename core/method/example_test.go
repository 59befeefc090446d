package method_test

import (
	"fmt"

	"github.com/deepemd/deepemd/core/method"
)

// The paper's tables measure the method as the paper has it: all classes weigh the
// same, and every picture belongs to one of them.
func ExamplePaper() {
	fmt.Println(method.Paper().Equal(method.Default()))
	fmt.Println(method.Paper())
	// Output:
	// false
	// embedder=fcn classifier=prototype weighting=cross-reference solver=simplex temperature=12.5 balance=off strangers=off
}
