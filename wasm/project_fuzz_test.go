//go:build !js

package wasm_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/nodetest"
	"github.com/deepemd/deepemd/internal/require"
)

// opens is a program that opens project files like the page, and reads all their entries.
const opens = `
	const { unpackProject } = await import(ROOT + "wasm/npm/project.js");
	const { withoutMedia } = await import(ROOT + "web/static/web/media.js");
	async function answer({ file }) {
		const project = await unpackProject(new Blob([Buffer.from(file, "base64")]));
		const { manifest, media } = withoutMedia(project.manifest);
		const examples = manifest.classes.flatMap((c) => c.examples);
		const { network, preprocess } = manifest;
		let values = 0;
		for (const [i, e] of examples.entries()) {
			if (e.picture !== undefined) await (await project.picture(e)).arrayBuffer();
			if (network) values += (await project.embedding(i, { ...network, preprocess }))?.length ?? 0;
		}
		return { examples: examples.length, count: project.count, values, media: media.size, method: manifest.method };
	}`

// opened is what it answers.
type opened struct {
	Examples, Count, Values, Media int
	Method                         json.RawMessage
}

// open asks the page and fails for errors that are not the page's own.
func open(t *testing.T, page *nodetest.Program, file []byte) (got opened, ok bool) {
	t.Helper()
	err := page.Ask(t, map[string][]byte{"file": file}, &got)
	if err != nil && !slices.Contains([]string{"bad-project", "newer-project"}, err.Code) {
		t.Errorf("%s %s: %s", err.Name, err.Code, err.Stack)
	}
	if err == nil && got.Examples != got.Count {
		t.Errorf("%d examples, and it counts %d", got.Examples, got.Count)
	}
	return got, err == nil
}

// FuzzProject opens files of any bytes in the page.
func FuzzProject(f *testing.F) {
	page := nodetest.Start(f, opens)
	picture := bombs.Entry{Name: "p.png", Content: bombs.PNG(64), Deflate: true}
	one := func(int) string { return "p.png" }
	f.Add(bombs.Project(1, one, picture))
	f.Add(bombs.Project(50, one, picture))
	f.Add(bombs.Project(2, func(i int) string { return string("pq"[i]) + ".png" }, picture, bombs.Entry{Name: "q.png", On: "p.png"}))
	f.Add(bombs.Claiming(bombs.Project(1, one, picture), "p.png", 2<<30))
	f.Add(own(f))
	f.Fuzz(func(t *testing.T, file []byte) {
		open(t, page, file)
	})
}

// FuzzManifestOfPage opens projects of any manifest in the page, with embeddings of any
// header and values. The page also reads every project that package project reads and writes
// again.
func FuzzManifestOfPage(f *testing.F) {
	page := nodetest.Start(f, opens)
	const classes = `"classes": [{"id": "a", "label": "A", "examples": [{"id": "1", "picture": "p.png"}]}]`
	const head = `{"format": "deepemd-project", "version": 2, "name": "", "kind": "image", `
	const network = `"network": {"name": "net", "sha256": "", "embedder": {"kind": "fcn"}, "nodes": 1, "channels": 2}, `
	for _, text := range []string{
		head + network + classes + "}", head + `"requires": ["nothing"], ` + classes + "}", head + `"requires": "nothing", ` + classes + "}", head + `"requires": {}, ` + classes + "}",
		head + `"network": null, "method": null, ` + classes + "}", head + `"network": 3, "method": [], ` + classes + "}", head + `"extensions": {"actions": {"media": {"m": "data:image/png;base64,A"}}}, ` + classes + "}",
		head + `"method": {"embedder": {"kind": "__proto__"}, "strangers": 3}, ` + classes + "}", head + `"extensions": {"actions": null}, ` + classes + "}", head + `"extensions": null, "preprocess": 5, ` + classes + "}",
		`{"format": "deepemd-project", "version": 1, "name": "", "kind": "image", "settings": {"embedder": {"kind": "grid", "grid": [2]}, "strictness": 7, "x": 1}, ` + classes + "}",
		`{"format": "deepemd-project", "version": 1, "name": "", "kind": "image", "settings": {"embedder": null, "unknown": null}, "network": {}, ` + classes + "}",
		`{"format": "deepemd-project", "version": 2, "name": "", "kind": "features", ` + network + classes + "}", "null", "[]", "3", `{"format": "deepemd-project", "version": "2"}`,
	} {
		f.Add([]byte(text), []byte(`{"embeddings":{"dtype":"F32","shape":[1,1,2],"data_offsets":[0,8]}}`), []byte("\x00\x00\x80?\x00\x00\x00@"))
	}
	for _, header := range []string{`null`, `{"embeddings":null}`, `{"embeddings":{"dtype":"F32","shape":[1,1,2],"data_offsets":3}}`, `{"embeddings":{"dtype":"F32","shape":null,"data_offsets":["0","8"]}}`,
		`{"embeddings":{"dtype":"F32","shape":"1,1,2","data_offsets":[-8,1e30]}}`, `{"embeddings":{"dtype":"F32","shape":[[1,1],2],"data_offsets":[0,8]}}`, `{"embeddings":{"dtype":"F16"}}`, `[`, ``} {
		f.Add([]byte(head+network+classes+"}"), []byte(header), []byte("\x00\x00\x80?\x00\x00\x00@"))
	}
	picture := bombs.Entry{Name: "p.png", Content: bombs.PNG(16)}
	f.Fuzz(func(t *testing.T, text, header, values []byte) {
		tensor := append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), values...)
		stored := bombs.Entry{Name: "embeddings.safetensors", Content: tensor}
		open(t, page, bombs.Archive(bombs.Entry{Name: "manifest.json", Content: text}, picture, stored))
		m, err := project.ParseManifest(text)
		if err != nil {
			return
		}
		again, err := json.Marshal(m)
		require.NoError(t, err)
		entries := []bombs.Entry{{Name: "manifest.json", Content: again}}
		for _, c := range m.Classes {
			for _, e := range c.Examples {
				if e.Picture == "" {
					return // a manifest on its way to an archive, which gives the pictures their names
				}
				entries = append(entries, bombs.Entry{Name: e.Picture, Content: picture.Content})
			}
		}
		if m.Kind == project.KindFeatures || !plain(entries) {
			return // has to have its embeddings; names that no archive has
		}
		if got, ok := open(t, page, bombs.Archive(entries...)); !ok || got.Count != m.Examples() {
			t.Errorf("the page has %d examples (%v), package project %d: %s", got.Count, ok, m.Examples(), again)
		}
	})
}

// plain reports whether the entries have distinct names that an archive can hold.
func plain(entries []bombs.Entry) bool {
	seen := map[string]bool{}
	for _, e := range entries {
		if seen[e.Name] || len(e.Name) > 1<<15 {
			return false
		}
		seen[e.Name] = true
	}
	return true
}

// own returns a project that package archive has written.
func own(tb testing.TB) []byte {
	tb.Helper()
	var file bytes.Buffer
	m := &project.Manifest{
		Kind: project.KindImage, Name: "Cups", Method: method.Default(), Network: &project.Network{Name: "net", Nodes: 1, Channels: 2},
		Classes: []project.Class{{ID: "c", Label: "C", Examples: []project.Example{{ID: "e"}, {ID: "f"}}}},
	}
	err := archive.Write(&file, m, archive.Contents{
		Picture: func(int) (*imaging.Image, error) {
			return &imaging.Image{Width: 8, Height: 8, Pix: make([]byte, 3*8*8)}, nil
		},
		Embedding: func(i int) ([]float32, error) { return []float32{1, float32(i)}, nil },
	})
	if err != nil {
		tb.Fatal(fmt.Errorf("a project: %w", err))
	}
	return file.Bytes()
}
