package recipes_test

import (
	"fmt"

	"github.com/deepemd/deepemd/trainer/recipes"
)

// A recipe is a file of settings.
func ExampleRead() {
	recipe, err := recipes.Read(recipes.Pretrain, recipes.Names(recipes.Pretrain)[0])
	fmt.Println(len(recipe) > 0, err)
	// Output: true <nil>
}
