package conformance_test

import (
	"fmt"

	"github.com/deepemd/deepemd/trainer/measure/conformance"
)

// What can be compared depends on the golden data that lie in a folder.
func ExampleSuites() {
	for _, suite := range conformance.Suites("nowhere") {
		fmt.Println(suite.Name, suite.Missing() != nil)
	}
	// Output:
	// transport true
	// resnet12-cifarfs true
	// resnet12-s-tiny true
}
