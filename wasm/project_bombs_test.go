//go:build !js

package wasm_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

// The page refuses the small project files that package archive refuses, for the same
// reason, and quickly. The test runs the page's module in Node.
func TestProjectBombs(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node here: put node into PATH to test project.js with it")
	}
	folder := t.TempDir()
	type asked struct{ File, Says string }
	var all []asked
	for i, c := range append(bombs.Projects(),
		bombs.Expected{File: withEmbedding(t, float32(math.NaN())), Says: "value 1 of embeddings.safetensors is NaN"},
		bombs.Expected{File: withEmbedding(t, float32(math.Inf(-1))), Says: "value 1 of embeddings.safetensors is -Infinity"},
		bombs.Expected{File: withEmbedding(t, 0.5)},
	) {
		path := filepath.Join(folder, fmt.Sprint(i, ".deepemd"))
		require.NoError(t, os.WriteFile(path, c.File, 0o600))
		all = append(all, asked{path, c.Says})
	}
	table, err := json.Marshal(all)
	require.NoError(t, err)
	copied(t, "npm/*.js*", folder)
	module := filepath.Join(folder, "project.js")
	const program = `
		import { openAsBlob } from "node:fs";
		const [module, table] = process.argv.slice(1);
		const { unpackProject } = await import("file://" + module);
		for (const { File, Says } of JSON.parse(table)) {
			let message = "";
			await unpackProject(await openAsBlob(File)).catch((error) => (message = error.code + ": " + error.message));
			if (Says === "" ? message !== "" : !message.startsWith("bad-project: ") || !message.includes(Says)) console.log("says " + JSON.stringify(message) + ", want " + JSON.stringify(Says));
		}
		const most = process.resourceUsage().maxRSS / 1024;
		if (most > 600) console.log("takes " + most + " MB");`
	out, err := exec.Command(node, "--input-type=module", "--eval", program, module, string(table)).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "" {
		t.Errorf("project.js: %v: %s", err, out)
	}
}

// withEmbedding returns a project of one example with an embedding of two values, the second
// of which is given.
func withEmbedding(t *testing.T, value float32) []byte {
	t.Helper()
	var file bytes.Buffer
	m := &project.Manifest{
		Kind: project.KindImage, Method: method.Default(), Network: &project.Network{Name: "net", Nodes: 1, Channels: 2},
		Classes: []project.Class{{ID: "c", Label: "C", Examples: []project.Example{{ID: "e"}}}},
	}
	require.NoError(t, archive.Write(&file, m, archive.Contents{
		Picture: func(int) (*imaging.Image, error) {
			return &imaging.Image{Width: 8, Height: 8, Pix: make([]byte, 3*8*8)}, nil
		},
		Embedding: func(int) ([]float32, error) { return []float32{1, 0}, nil },
	}))
	var entries []bombs.Entry
	for _, e := range require.Value(zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len())))(t).File {
		content := require.Value(io.ReadAll(require.Value(e.Open())(t)))(t)
		if strings.HasSuffix(e.Name, ".safetensors") {
			binary.LittleEndian.PutUint32(content[len(content)-4:], math.Float32bits(value))
		}
		entries = append(entries, bombs.Entry{Name: e.Name, Content: content})
	}
	return bombs.Archive(entries...)
}
