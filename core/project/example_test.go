package project_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
)

// A manifest is encoded as JSON, and validated by ParseManifest.
func ExampleParseManifest() {
	manifest := &project.Manifest{
		Kind: project.KindImage, Name: "Cups", Method: method.Default(),
		Classes: []project.Class{{ID: "class-1", Label: "Cup", Examples: []project.Example{{ID: "example-1"}}}},
	}
	manifest.Stamp()
	text, err := json.Marshal(manifest)
	if err != nil {
		fmt.Println(err)
		return
	}
	again, err := project.ParseManifest(text)
	fmt.Println(again.Name, again.Classes[0].Label, again.Examples(), err)

	_, err = project.ParseManifest([]byte(`{"format": "another"}`))
	fmt.Println(errors.Is(err, project.ErrForeign))
	// Output:
	// Cups Cup 1 <nil>
	// true
}
