package lessons_test

import (
	"fmt"

	"github.com/deepemd/deepemd/web/lessons"
)

// An alphabet is found by its name, with the row of its first character.
func ExampleFindAlphabet() {
	greek, row := lessons.FindAlphabet("greek")
	fmt.Println(greek.Labels[0], row)
	// Output: α 5
}
