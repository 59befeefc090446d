package artifact_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/deepemd/deepemd/trainer/format/artifact"
)

// What fails half-way leaves the old file.
func ExampleWrite() {
	folder, err := os.MkdirTemp("", "artifact")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "scores.txt")
	err = artifact.Write(path, func(w io.Writer) error {
		_, err := fmt.Fprint(w, "whole")
		return err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = artifact.Write(path, func(w io.Writer) error {
		fmt.Fprint(w, "ha")
		return errors.New("out of numbers")
	})
	fmt.Println("second:", err)
	content, err := os.ReadFile(path)
	fmt.Println(string(content), err)
	// Output:
	// second: out of numbers
	// whole <nil>
}
