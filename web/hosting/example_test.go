package hosting_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing/fstest"

	"github.com/deepemd/deepemd/web/hosting"
)

// A site becomes a folder for any file server, with the headers that the server
// should send. For a host that limits the size of files the weights lie in pieces,
// and a list of them in their place.
func ExampleExport() {
	site := fstest.MapFS{}
	for name, content := range map[string]string{
		"index.html":                     "<!DOCTYPE html>",
		"deepemd/networks.js":            "export const networks = {};",
		"weights/resnet12-s.safetensors": "a network of 24 bytes...",
		"examples/plain/index.html":      "<!DOCTYPE html>",
		"examples/element/index.html":    "<!DOCTYPE html>",
		"deepemd/deepemd.wasm":           "the engine",
	} {
		site[name] = &fstest.MapFile{Data: []byte(content)}
	}
	parent, err := os.MkdirTemp("", "hosting")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(parent)

	folder := filepath.Join(parent, "public")
	if err := hosting.Export(folder, site, hosting.Options{Piece: 10}); err != nil {
		fmt.Println(err)
		return
	}
	pieces, err := filepath.Glob(filepath.Join(folder, "weights", "resnet12-s.safetensors*"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, piece := range pieces {
		fmt.Println(filepath.Base(piece))
	}
	// Output:
	// resnet12-s.safetensors
	// resnet12-s.safetensors.0
	// resnet12-s.safetensors.1
	// resnet12-s.safetensors.2
}
