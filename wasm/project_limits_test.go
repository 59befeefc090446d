//go:build !js

package wasm_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/nodetest"
	"github.com/deepemd/deepemd/internal/require"
)

// packs is a program that writes projects of features like the page.
const packs = `
	const { packProject, unpackProject } = await import(ROOT + "wasm/npm/project.js");
	const { defaults } = await import(ROOT + "wasm/npm/method.js");
	async function answer({ draft, grow }) {
		if (grow) draft.extensions = { media: "x".repeat(2 ** 25) };
		const network = { name: "mine", nodes: 1, channels: 2, ...draft.network };
		delete draft.network;
		const file = await packProject({ kind: "features", name: "", method: defaults, classes: [], ...draft }, network, () => ({ size: 0, embedding: new Float32Array([1, 2]) }));
		await unpackProject(file);
		return { file: Buffer.from(await file.arrayBuffer()).toString("base64") };
	}`

// TestPagesPackWhatReadersAccept: packProject writes files that both readers open, or rejects
// with "bad-argument".
func TestPagesPackWhatReadersAccept(t *testing.T) {
	page := nodetest.Start(t, packs)
	texts := map[string]string{ // of the draft, with %s for a text
		"name":       `{"name": %s}`,
		"class id":   `{"classes": [{"id": %s, "label": "a", "examples": []}]}`,
		"label":      `{"classes": [{"id": "a", "label": %s, "examples": []}]}`,
		"example id": `{"classes": [{"id": "a", "label": "a", "examples": [{"id": %s}]}]}`,
		"features":   `{"network": {"name": %s}}`,
	}
	type attempt struct {
		draft string
		grow  bool
		fails string
	}
	attempts := map[string]attempt{
		"a large extension":    {`{}`, true, "store less in extensions"},
		"no list of classes":   {`{"classes": {}}`, false, "want a list"},
		"no list of examples":  {`{"classes": [{"id": "a", "label": "a"}]}`, false, "want a list"},
		"an empty id":          {`{"classes": [{"id": "", "label": "a", "examples": []}]}`, false, "empty"},
		"two classes, one id":  {`{"classes": [{"id": "a", "label": "a", "examples": []}, {"id": "a", "label": "b", "examples": []}]}`, false, "duplicate"},
		"two examples, one id": {`{"classes": [{"id": "a", "label": "a", "examples": [{"id": "1"}, {"id": "1"}]}]}`, false, "duplicate"},
	}
	for name, draft := range texts {
		for what, c := range map[string]struct{ text, fails string }{
			"1000 letters":   {`"` + strings.Repeat("Ä", method.MaxText) + `"`, ""},
			"1000 emoji":     {`"` + strings.Repeat("🥤", method.MaxText) + `"`, ""},
			"1001 letters":   {`"` + strings.Repeat("z", method.MaxText+1) + `"`, "1001 characters: want at most 1000"},
			"1001 emoji":     {`"` + strings.Repeat("🥤", method.MaxText+1) + `"`, "1001 characters: want at most 1000"},
			"lone surrogate": {`"cup \ud83e"`, "lone surrogate"},
			"not a text":     {`7`, "want a text"},
		} {
			attempts[name+", "+what] = attempt{fmt.Sprintf(draft, c.text), false, c.fails}
		}
	}
	for time, good := range map[string]bool{
		"2026-05-01T12:00:00Z": true, "2026-05-01T12:00:00.125+14:00": true, "2024-02-29T23:59:59-23:59": true,
		"": false, "yesterday": false, "2026-05-01": false, "2026-02-29T12:00:00Z": false, "2026-13-01T12:00:00Z": false,
		"2026-05-01T24:00:00Z": false, "2026-05-01T12:00:60Z": false, "2026-05-01t12:00:00z": false, "2026-05-01T12:00:00": false,
		"2026-05-01T12:00:00,5Z": false, "2026-05-01T12:00:00+24:00": false, "Thu Jan 01 1970 00:00:00 GMT+0000": false,
	} {
		for _, name := range []string{"created", "saved"} {
			attempts[name+" "+time] = attempt{draft: fmt.Sprintf("{%q: %q}", name, time)}
			if !good {
				attempts[name+" "+time] = attempt{fmt.Sprintf("{%q: %q}", name, time), false, name + " is "}
			}
		}
	}
	for name, c := range attempts {
		t.Run(name, func(t *testing.T) {
			var got struct{ File []byte }
			err := page.Ask(t, map[string]any{"draft": json.RawMessage(c.draft), "grow": c.grow}, &got)
			if c.fails != "" {
				if err == nil || err.Code != "bad-argument" || !strings.Contains(err.Message, c.fails) || strings.Contains(err.Message, "damaged") {
					t.Errorf("error %+v, want bad-argument that says %q", err, c.fails)
				}
				return
			}
			if err != nil {
				t.Fatalf("%s: %s", err.Code, err.Message)
			}
			if _, err := archive.Read(bytes.NewReader(got.File), int64(len(got.File))); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestReadersAgreeOnTexts: the page and package archive accept the same texts and times in manifests,
// and reject the others as damaged.
func TestReadersAgreeOnTexts(t *testing.T) {
	page := nodetest.Start(t, `
	const { unpackProject } = await import(ROOT + "wasm/npm/project.js");
	async function answer({ file }) {
		const { manifest } = await unpackProject(new Blob([Buffer.from(file, "base64")]));
		return { label: manifest.classes[0].label };
	}`)
	for name, c := range map[string]struct{ label, more, want string }{
		"1000 letters":     {strings.Repeat("Ä", method.MaxText), "", strings.Repeat("Ä", method.MaxText)},
		"1001 letters":     {strings.Repeat("Ä", method.MaxText+1), "", ""},
		"1001 emoji":       {strings.Repeat("🥤", method.MaxText+1), "", ""},
		"a lone surrogate": {`cup \ud83e!`, "", "cup \ufffd!"},
		"invalid UTF-8":    {"cup \xf0\x9f", "", ""},
		"a time":           {"cup", `"created": "2026-05-01T12:00:00+02:00", "saved": null,`, "cup"},
		"a day":            {"cup", `"created": "2026-05-01",`, ""},
		"no time":          {"cup", `"saved": "",`, ""},
		"a number":         {"cup", `"saved": 2026,`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			manifest := fmt.Sprintf(`{"format": "deepemd-project", "version": 2, "kind": "image", "name": "", %s "classes": [{"id": "a", "label": "%s", "examples": []}]}`, c.more, c.label)
			file := bombs.Archive(bombs.Entry{Name: "manifest.json", Content: []byte(manifest)})
			var got struct{ Label string }
			refused := page.Ask(t, map[string][]byte{"file": file}, &got)
			read, err := archive.Read(bytes.NewReader(file), int64(len(file)))
			if c.want == "" {
				if refused == nil || refused.Code != "bad-project" || err == nil || !strings.Contains(err.Error(), project.ErrDamaged.Error()) {
					t.Errorf("the page says %v, archive %v; want both to find it damaged", refused, err)
				}
				return
			}
			if refused != nil || err != nil {
				t.Fatalf("the page says %v, archive %v", refused, err)
			}
			if label := read.Manifest.Classes[0].Label; got.Label != c.want || label != c.want {
				t.Errorf("the page has the label %q, archive %q", got.Label, label)
			}
		})
	}
}

// TestReadersAgreeOnArchives: no file is one project for the page and another for package archive, which also rejects some
// that the page opens.
func TestReadersAgreeOnArchives(t *testing.T) {
	page := nodetest.Start(t, `
	const { unpackProject } = await import(ROOT + "wasm/npm/project.js");
	const answer = async (file) => (await unpackProject(new Blob([Buffer.from(file, "base64")]))).manifest.name;`)
	named := func(name string, more int) []byte {
		var file bytes.Buffer
		w := zip.NewWriter(&file)
		require.Value(fmt.Fprintf(require.Value(w.CreateHeader(&zip.FileHeader{Name: "manifest.json"}))(t),
			`{"format": "deepemd-project", "version": 2, "kind": "image", "name": %q, "classes": []}`, name))(t)
		for i := range more {
			require.Value(w.CreateHeader(&zip.FileHeader{Name: fmt.Sprint(i)}))(t)
		}
		require.NoError(t, w.Close())
		return file.Bytes()
	}
	commented := func(file, comment []byte) []byte {
		file = append(file, comment...)
		binary.LittleEndian.PutUint16(file[len(file)-len(comment)-2:], uint16(len(comment)))
		return file
	}
	one, two := named("one", 0), named("two", 0)
	at := bytes.Index(one, []byte("PK\x01\x02"))
	for name, c := range map[string]struct {
		file       []byte
		page, read string // the name, or "" for a damaged file
	}{
		"plain":                    {named("one", 0), "one", "one"},
		"a comment":                {commented(named("one", 0), []byte("a comment")), "one", "one"},
		"ZIP64":                    {named("one", 70_000), "one", "one"},
		"more bytes":               {append(named("one", 0), 'x'), "", ""},
		"archive after another":    {append(named("one", 0), two...), "one", ""},
		"archive within a comment": {commented(named("one", 0), append(two, 'x')), "one", ""},
		"directory elsewhere":      {slices.Insert(one, at, make([]byte, 9)...), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var label string
			if err := page.Ask(t, c.file, &label); label != c.page || (err == nil) != (c.page != "") {
				t.Errorf("the page opens %q, error %+v: want %q", label, err, c.page)
			}
			f, err := archive.Read(bytes.NewReader(c.file), int64(len(c.file)))
			if c.read == "" && !errors.Is(err, project.ErrDamaged) || c.read != "" && (err != nil || f.Manifest.Name != c.read) {
				t.Errorf("archive: %+v, error %v: want %q", f, err, c.read)
			}
		})
	}
}
