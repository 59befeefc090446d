package publish

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/server"
)

const template = `<html data-language="{{language}}" data-parents="{{parents}}"><title>{{title}}</title>{{parts}}</html>`

// part returns the content of a part of a page.
func part(t *testing.T, page []byte, id string) []byte {
	t.Helper()
	found := regexp.MustCompile(`<script type="text/plain" id="part-` + id + `"( data-packed="gzip")?>([^<]*)</script>`).FindSubmatch(page)
	if found == nil {
		t.Fatalf("the page has no part %s:\n%s", id, page)
	}
	content := bytesOf(t, string(found[2]))
	if len(found[1]) == 0 {
		return content
	}
	z := require.Value(gzip.NewReader(bytes.NewReader(content)))(t)
	unpacked := require.Value(io.ReadAll(z))(t)
	return unpacked
}

func TestPage(t *testing.T) {
	c := Contents{
		Title: `<Cups> & "pens" {{parts}}`, Language: "de", Parents: []string{"https://example.org", "http://localhost:8080"},
		Engine: bytes.Repeat([]byte("engine "), 100), Weights: []byte("\x00\x01"), Project: []byte("PK"),
	}
	page := require.Value(Page([]byte(template), c))(t)
	for _, want := range []string{
		`data-language="de"`, `data-parents="https://example.org http://localhost:8080"`,
		`<title>&#60;Cups&#62; &#38; &#34;pens&#34; {{parts}}</title><script`,
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %s:\n%s", want, page)
		}
	}
	for id, want := range map[string][]byte{"engine": c.Engine, "weights": c.Weights, "project": c.Project} {
		if got := part(t, page, id); !bytes.Equal(got, want) {
			t.Errorf("part %s holds %q, want %q", id, got, want)
		}
	}
	again, err := Page([]byte(template), c)
	if err != nil || !bytes.Equal(again, page) {
		t.Errorf("the same contents give another page (%v)", err)
	}
}

// Origins are written as browsers send them.
func TestOriginOf(t *testing.T) {
	for text, want := range map[string]string{
		"https://example.org": "https://example.org", "https://EXAMPLE.org/": "https://example.org",
		"https://example.org:443": "https://example.org", "http://example.org:80": "http://example.org",
		"http://example.org:443": "http://example.org:443", "https://example.org:0080": "https://example.org:80",
		"https://bücher.example": "https://xn--bcher-kva.example", "https://[0:0:0:0:0:0:0:1]:8080": "https://[::1]:8080",
		"http://127.0.0.1:8080": "http://127.0.0.1:8080", "http://localhost:3000": "http://localhost:3000",
		"https://example.org.": "https://example.org.", "https://9.example": "https://9.example",
	} {
		if got, err := originOf(text); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", text, got, err, want)
		}
	}
}

func TestPageRefuses(t *testing.T) {
	for _, c := range []struct {
		name, template string
		contents       Contents
		want           string
	}{
		{"another file", "<html></html>", Contents{}, "make build"},
		{"language", template, Contents{Language: "fr"}, "en, de"},
		{"path", template, Contents{Parents: []string{"https://example.org/page"}}, "only scheme and host"},
		{"a person", template, Contents{Parents: []string{"https://user@example.org"}}, "only scheme and host"},
		{"port", template, Contents{Parents: []string{"https://example.org:70000"}}, "65535"},
		{"number", template, Contents{Parents: []string{"https://0x7f.1"}}, "neither a host name"},
		{"octal number", template, Contents{Parents: []string{"https://192.168.1.08"}}, "neither a host name"},
		{"number and a dot", template, Contents{Parents: []string{"https://127.0.0.1."}}, "neither a host name"},
		{"no host", template, Contents{Parents: []string{"https://"}}, "neither a host name"},
		{"any", template, Contents{Parents: []string{"*"}}, "only scheme and host"},
		{"file", template, Contents{Parents: []string{"file://"}}, "only scheme and host"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Page([]byte(c.template), c.contents); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one about %s", err, c.want)
			}
		})
	}
	if _, err := Page(nil, Contents{}); !errors.Is(err, ErrTemplate) {
		t.Errorf("error %v, want ErrTemplate", err)
	}
}

// The source of the page sets the policy that servers send with it, and has a place for
// everything.
func TestSource(t *testing.T) {
	source := require.Value(os.ReadFile("page.html"))(t)
	if want := `<meta http-equiv="Content-Security-Policy" content="` + server.PlayerPolicy + `">`; !bytes.Contains(source, []byte(want)) {
		t.Errorf("page.html lacks\n%s", want)
	}
	if page, err := Page(source, Contents{}); err != nil || !bytes.HasPrefix(page, []byte(Beginning)) {
		t.Errorf("error %v, page begins with %.100s", err, page)
	}
	words := require.Value(os.ReadFile("words.js"))(t)
	for _, language := range Languages {
		if !bytes.Contains(words, []byte(`lang: "`+language+`"`)) {
			t.Errorf("words.js does not speak %s", language)
		}
	}
}

// A page of few examples holds no embeddings, and that of many has them; the rest of the
// project stays. The page that the studio makes keeps to the same number.
func TestProjectOfAPage(t *testing.T) {
	picture := &imaging.Image{Width: 2, Height: 2, Pix: []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}
	written := func(examples int) []byte {
		t.Helper()
		m := project.Manifest{
			Kind: project.KindImage, Name: "Cups", Method: method.Default(),
			Network: &project.Network{Name: "n", SHA256: strings.Repeat("0", 64), Embedder: method.Default().Embedder, Nodes: 1, Channels: 2},
			Classes: []project.Class{{ID: "cup", Label: "Cup"}},
		}
		for i := range examples {
			m.Classes[0].Examples = append(m.Classes[0].Examples, project.Example{ID: fmt.Sprint("cup", i)})
		}
		var file bytes.Buffer
		require.NoError(t, archive.Write(&file, &m, archive.Contents{
			Picture:   func(int) (*imaging.Image, error) { return picture, nil },
			Embedding: func(i int) ([]float32, error) { return []float32{float32(i), 1}, nil },
		}))
		return file.Bytes()
	}
	for _, examples := range []int{1, Brief, Brief + 1} {
		held := require.Value(Project(written(examples)))(t)
		p, err := archive.Read(bytes.NewReader(held), int64(len(held)))
		require.NoError(t, err)
		embeddings, err := p.Embeddings()
		if err != nil || p.Manifest.Name != "Cups" || p.Manifest.Examples() != examples || (embeddings != nil) != (examples > Brief) {
			t.Errorf("of %d examples %q holds %d, with %d embeddings, %v", examples, p.Manifest.Name, p.Manifest.Examples(), len(embeddings), err)
		}
		last := p.Manifest.Classes[0].Examples[examples-1]
		if got, err := p.Picture(last); err != nil || !bytes.Equal(got.Pix, picture.Pix) {
			t.Errorf("the picture of %s: %v, %v", last.ID, got, err)
		}
	}
	if _, err := Project([]byte("text")); err == nil {
		t.Error("a text is a project")
	}
	script := require.Value(os.ReadFile("../../web/static/web/share.js"))(t)
	if want := fmt.Sprintf("export const BRIEF = %d;", Brief); !strings.Contains(string(script), want) {
		t.Errorf("share.js lacks %q", want)
	}
}

// bytesOf decodes digits with big integers.
func bytesOf(t *testing.T, text string) (data []byte) {
	t.Helper()
	for text != "" {
		group := text[:min(5, len(text))]
		text = text[len(group):]
		value := new(big.Int)
		for _, d := range group + "~~~~~"[len(group):] {
			at := strings.IndexRune(digits, d)
			if at < 0 {
				t.Fatalf("%q is no digit", d)
			}
			value.Add(value.Mul(value, big.NewInt(85)), big.NewInt(int64(at)))
		}
		var four [4]byte
		value.FillBytes(four[:])
		data = append(data, four[:len(group)-1]...)
	}
	return data
}

// The page's script writes the digits that the command writes, and reads them.
func TestDigits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	type text struct{ Bytes, Digits string }
	var texts []text
	cases := [][]byte{{}, {0}, {255}, {255, 255}, {255, 255, 255}, {255, 255, 255, 255}, {0, 0, 0, 0, 1}}
	for n := range 12 {
		data := make([]byte, 100*n+n)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		cases = append(cases, data)
	}
	for _, data := range cases {
		written := string(digitsOf(data))
		if got := bytesOf(t, written); !bytes.Equal(got, data) {
			t.Errorf("%v becomes %q, which reads %v", data, written, got)
		}
		plain := make([]rune, len(data))
		for i, b := range data {
			plain[i] = rune(b)
		}
		texts = append(texts, text{string(plain), written})
	}
	if strings.ContainsAny(digits, "<>&\"'`\\{} ") || len(digits) != 85 {
		t.Errorf("digits %q mean something in HTML, or are not 85", digits)
	}

	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node to run digits.js:", err)
	}
	script := require.Value(os.ReadFile("../../web/static/web/digits.js"))(t)
	table, err := json.Marshal(texts)
	require.NoError(t, err)
	const program = `
		const [script, table] = process.argv.slice(1);
		const { encode, decode } = await import("data:text/javascript," + encodeURIComponent(script));
		for (const { Bytes, Digits } of JSON.parse(table)) {
			const bytes = Uint8Array.from(Bytes, (c) => c.charCodeAt(0));
			const digits = new TextDecoder().decode(encode(bytes));
			if (digits !== Digits) throw new Error("digits " + digits + ", want " + Digits);
			if (String(decode(digits)) !== String(bytes)) throw new Error("read " + decode(digits) + ", want " + bytes);
		}`
	if out, err := exec.Command(node, "--input-type=module", "--eval", program, string(script), string(table)).CombinedOutput(); err != nil {
		t.Errorf("digits.js: %v: %s", err, out)
	}
}
