//go:build !js

package page_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
)

// projectScript brings project.js into the page.
const projectScript = `
	const { saveProject, openProject, unpackProject, packProject } = await import("/deepemd/project.js");
	const base64 = async (blob) => {
		let text = "";
		for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
		return btoa(text);
	};
	const fromBase64 = (text) => new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]);
`

// Go reads the same values that the page saves, and an engine that opens the file gives the same
// answers without a forward pass.
func TestPageSavesProjects(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[struct {
		File              string
		Before, After     []answer.Score
		Pixels, Embedding string
		Network           project.Network
		Progress          []int
	}](b, `(async () => {`+projectScript+`
		const engine = await taught();
		await engine.addExample("blue", canvas);
		await engine.renameClass("green", "grün & <fresh>");
		const file = await saveProject(engine, { name: "Colours", extensions: { mirror: true } });
		const other = await DeepEMD.create({ weights: small });
		const progress = [];
		await openProject(other, file, { onProgress: (done, all) => progress.push(done, all) });
		const query = plain(60, 80, 140);
		const { pixels, embedding } = engine.classes[1].examples[0];
		return {
			file: await base64(file), before: (await engine.classify(query)).scores, after: (await other.classify(query)).scores,
			pixels: await base64(new Blob([pixels])), embedding: await base64(new Blob([embedding])),
			network: await engine.network(), progress,
		};
	})()`)
	file := unbase64(t, got.File)
	p := require.Value(archive.Read(bytes.NewReader(file), int64(len(file))))(t)
	m := p.Manifest
	if m.Name != "Colours" || len(m.Classes) != 3 || m.Examples() != 4 || m.Classes[1].Label != "grün & <fresh>" {
		t.Errorf("manifest %+v", m)
	}
	if string(m.Extensions["mirror"]) != "true" {
		t.Errorf("extensions %s", m.Extensions)
	}
	if want := (project.Preprocess{Size: 32, Mean: m.Preprocess.Mean, Std: m.Preprocess.Std}); *m.Preprocess != want || m.Preprocess.Std[0] <= 0 {
		t.Errorf("preprocessing %+v", m.Preprocess)
	}
	if n := *m.Network; n.SHA256 != got.Network.SHA256 || len(n.SHA256) != 64 || n.Nodes != 4 || n.Channels != 32 {
		t.Errorf("network %+v", n)
	}
	picture := require.Value(p.Picture(m.Classes[1].Examples[0]))(t)
	if !slices.Equal(picture.Pix, unbase64(t, got.Pixels)) {
		t.Error("the picture is not what the network saw")
	}
	embeddings := require.Value(p.Embeddings())(t)
	raw := unbase64(t, got.Embedding)
	for i, v := range embeddings[1] {
		bits := uint32(raw[4*i]) | uint32(raw[4*i+1])<<8 | uint32(raw[4*i+2])<<16 | uint32(raw[4*i+3])<<24
		if math.Float32bits(v) != bits {
			t.Fatalf("value %d of the embedding has changed", i)
		}
	}
	if len(got.Before) != 3 || !slices.Equal(got.Before, got.After) {
		t.Errorf("scores %v, after opening %v", got.Before, got.After)
	}
	if want := []int{1, 4, 2, 4, 3, 4, 4, 4}; !slices.Equal(got.Progress, want) {
		t.Errorf("progress %v, want %v", got.Progress, want)
	}
	b.NoProblems()
}

// Files written by Go open, as do archives packed by another program. Another network embeds the
// pictures again.
func TestPageOpensProjects(t *testing.T) {
	_, b := newSite(t)
	colors := require.Value(os.ReadFile("../../../../core/project/archive/testdata/colors.deepemd"))(t)
	m := &project.Manifest{
		Kind: project.KindImage, Name: "by Go", Method: method.Default(),
		Network: &project.Network{Name: "another", Embedder: method.Embedder{Kind: "fcn"}, Nodes: 1, Channels: 2},
		Classes: []project.Class{
			{ID: "a", Label: "red", Examples: []project.Example{{ID: "1"}, {ID: "2"}}},
			{ID: "b", Label: "blue", Hue: 1, Examples: []project.Example{{ID: "3"}}},
		},
	}
	var byGo bytes.Buffer
	require.NoError(t, archive.Write(&byGo, m, archive.Contents{
		Picture: func(i int) (*imaging.Image, error) {
			color := [][3]uint8{{220, 30, 20}, {200, 20, 30}, {20, 30, 240}}[i]
			return &imaging.Image{Width: 32, Height: 32, Pix: bytes.Repeat(color[:], 32*32)}, nil
		},
		Embedding: func(int) ([]float32, error) { return []float32{1, 2}, nil },
	}))
	for name, c := range map[string]struct {
		file          []byte
		label         string
		count, reused int
	}{
		"the same network": {colors, "blue", 4, 4},
		"another network":  {byGo.Bytes(), "blue", 3, 0},
		"deflated":         {deflated(t, colors), "blue", 4, 4},
	} {
		t.Run(name, func(t *testing.T) {
			got := browsertest.Eval[struct {
				Label         string
				Count, Reused int
				Same          bool
			}](b, fmt.Sprintf(`(async () => {`+projectScript+`
				const file = fromBase64(%q);
				const engine = await DeepEMD.create({ weights: small });
				const manifest = await openProject(engine, file);
				const { scores } = await engine.classify(plain(20, 30, 250));
				const count = engine.classes.reduce((n, c) => n + c.examples.length, 0);
				// Which embeddings came from the file?
				const project = await unpackProject(file);
				let reused = 0;
				for (let i = 0; i < count; i++) if (await project.embedding(i, await engine.network())) reused++;
				// Those from the file are what the network makes of the pictures.
				const anew = await DeepEMD.create({ weights: small });
				const id = await anew.addClass("x");
				let same = true;
				for (const e of engine.classes.flatMap((c) => c.examples)) {
					const { embedding } = await anew.addExample(id, { width: e.size, height: e.size, data: e.pixels });
					same &&= embedding.every((v, i) => Math.abs(v - e.embedding[i]) <= 1e-5 * (1 + Math.abs(v)));
				}
				return { label: scores[0].label, count, reused, same };
			})()`, base64.StdEncoding.EncodeToString(c.file)))
			if got.Label != c.label || got.Count != c.count || got.Reused != c.reused || !got.Same {
				t.Errorf("got %+v, want %s of %d examples, %d with their embeddings", got, c.label, c.count, c.reused)
			}
		})
	}
	b.NoProblems()
}

// A file that cannot be opened is refused with the reason, and nothing is taught.
func TestPageRefusesProjects(t *testing.T) {
	_, b := newSite(t)
	colors := require.Value(os.ReadFile("../../../../core/project/archive/testdata/colors.deepemd"))(t)
	half := colors[:len(colors)/2]
	flipped := slices.Clone(colors)
	flipped[len(flipped)/2] ^= 1
	short := bytes.Replace(colors, []byte(`"pictures/00001.png"`), []byte(`"pictures/99999.png"`), 1)
	for name, c := range map[string]struct {
		file []byte
		code string
		says string
	}{
		"text":            {[]byte("Dear reader"), "bad-project", "*.deepemd"},
		"a pointer":       {[]byte("version https://git-lfs.github.com/spec/v1\noid sha256:0"), "bad-project", "git lfs pull"},
		"a web page":      {[]byte("<!doctype html>"), "bad-project", "web page"},
		"nothing":         {nil, "bad-project", "*.deepemd"},
		"another archive": {repacked(t, colors, "manifest.json", nil), "bad-project", "*.deepemd"},
		"cut off":         {half, "bad-project", "damaged"},
		"a flipped bit":   {flipped, "bad-project", "damaged"},
		"edited":          {short, "bad-project", "manifest.json"},
		"newer": {repacked(t, colors, "manifest.json", func(text []byte) []byte {
			return bytes.Replace(text, []byte(`"version": 2`), []byte(`"version": 3`), 1)
		}), "newer-project", "version 3"},
		"another kind": {repacked(t, colors, "manifest.json", func(text []byte) []byte {
			return bytes.Replace(text, []byte(`"image"`), []byte(`"smell"`), 1)
		}), "newer-project", "smell"},
		"the same class twice": {repacked(t, colors, "manifest.json", func(text []byte) []byte {
			return bytes.Replace(text, []byte(`"id": "blue"`), []byte(`"id": "red"`), 1)
		}), "bad-project", "manifest.json"},
		"a picture missing": {repacked(t, colors, "pictures/00002.png", nil), "bad-project", "pictures/00002.png"},
	} {
		t.Run(name, func(t *testing.T) {
			got := browsertest.Eval[struct {
				Failure failure
				Classes int
			}](b, fmt.Sprintf(`(async () => {`+projectScript+`
				const engine = await DeepEMD.create({ weights: small });
				return { failure: await failure(openProject(engine, fromBase64(%q))), classes: engine.classes.length };
			})()`, base64.StdEncoding.EncodeToString(c.file)))
			got.Failure.Check(t, c.code, c.says)
			if got.Classes != 0 {
				t.Errorf("%d classes of a file that was refused", got.Classes)
			}
		})
	}
	b.NoProblems()
}

// The page's own SHA-256, for where the browser has none, against the browser's.
func TestSHA256(t *testing.T) {
	_, b := newSite(t)
	if wrong := browsertest.Eval[[]int](b, `(async () => {
		const { compute } = await import("/deepemd/sha256.js");
		const wrong = [];
		for (const n of [0, 1, 55, 56, 63, 64, 65, 1000, 100003]) {
			const data = Uint8Array.from({ length: n }, (_, i) => (i * 37) ^ (i >> 3));
			if (String(new Uint8Array(await crypto.subtle.digest("SHA-256", data))) !== String(compute(data))) wrong.push(n);
		}
		return wrong;
	})()`); len(wrong) > 0 {
		t.Errorf("digests of %v bytes differ", wrong)
	}
}

func unbase64(t *testing.T, text string) []byte {
	t.Helper()
	data := require.Value(base64.StdEncoding.DecodeString(text))(t)
	return data
}
