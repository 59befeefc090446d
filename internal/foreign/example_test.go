package foreign_test

import (
	"fmt"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/foreign"
)

// A project of Teachable Machine: which picture belongs to which class.
func ExampleRead() {
	paths := []string{"Cup-!-0.jpg", "Cup-!-1.jpg", "Pen-!-0.jpg", "manifest.json"}
	manifest := func(int) ([]byte, error) { return []byte(`{"type":"image","version":"2.4.10","appdata":{}}`), nil }
	found, err := foreign.Read("desk.tm", paths, project.KindImage, manifest)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, class := range found.Classes {
		fmt.Println(class.Label, len(class.Files))
	}
	// Output:
	// Cup 2
	// Pen 1
}
