//go:build !js

package share_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/testsite"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// program builds the command.
func program(t *testing.T) string {
	t.Helper()
	path := require.Value(testsite.Command())(t)
	return path
}

// run runs the command and returns its output.
func run(t *testing.T, program string, args ...string) []byte {
	t.Helper()
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("%v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	return out
}

// share makes a page of a project with deepemd share.
func share(t *testing.T, program, file string) string {
	t.Helper()
	page := filepath.Join(t.TempDir(), "shared.html")
	run(t, program, "share", file, page, "--dir", studiotest.SiteFolder(t))
	return page
}

// samePage fails the test unless two shared pages are equal, except for the save time in their
// projects and the gzip compression of the rest.
func samePage(t *testing.T, a, b string) {
	t.Helper()
	partOf := regexp.MustCompile(`(<script type="text/plain" id="part-(\w+)" data-packed="gzip">)([^<]*)</script>`)
	read := func(path string) (rest []byte, digests map[string]string) {
		page := require.Value(os.ReadFile(path))(t)
		digests = map[string]string{}
		for _, found := range partOf.FindAllSubmatch(page, -1) {
			content := require.Value(gzip.NewReader(bytes.NewReader(bytesOf(found[3]))))(t)
			digest := sha256.New()
			require.Value(io.Copy(digest, content))(t)
			digests[string(found[2])] = fmt.Sprintf("%x", digest.Sum(nil))
		}
		return partOf.ReplaceAll(page, []byte("$1</script>")), digests
	}
	restA, digestsA := read(a)
	restB, digestsB := read(b)
	if !bytes.Equal(restA, restB) {
		t.Errorf("%s and %s differ outside of their parts", a, b)
	}
	for _, part := range []string{"engine", "weights"} {
		if digestsA[part] == "" || digestsA[part] != digestsB[part] {
			t.Errorf("the part %s of %s has SHA-256 %s, of %s %s", part, a, digestsA[part], b, digestsB[part])
		}
	}
}

// digits are the base-85 digits of a shared page's parts.
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%()*+,-./:;=?@[]^_|~"

// bytesOf decodes a part: five digits are four bytes; a shorter group has one byte less than
// digits.
func bytesOf(text []byte) (data []byte) {
	for group := range slices.Chunk(text, 5) {
		var value uint64
		for i := range 5 {
			digit := len(digits) - 1
			if i < len(group) {
				digit = strings.IndexByte(digits, group[i])
			}
			value = value*uint64(len(digits)) + uint64(digit)
		}
		data = append(data, binary.BigEndian.AppendUint32(nil, uint32(value))[:len(group)-1]...)
	}
	return data
}

// command asks deepemd classify --project.
func command(t *testing.T, program, file string, queries []string) []answer {
	t.Helper()
	out := run(t, program, append([]string{"classify", "--json", "--project", file}, queries...)...)
	var said struct {
		Queries []struct {
			Query, Predicted string
			Scores           []struct {
				Class string
				Score float64
			}
			Unknown *bool
		}
	}
	require.NoError(t, json.Unmarshal(out, &said))
	if len(said.Queries) != len(queries) {
		t.Fatalf("the command answers %d of %d queries", len(said.Queries), len(queries))
	}
	var answers []answer
	for i, q := range said.Queries {
		if q.Query != queries[i] || q.Unknown == nil {
			t.Fatalf("the command's answer %d is %+v, asked about %s", i+1, q, queries[i])
		}
		a := answer{scores: map[string]float64{}, best: q.Predicted, unknown: *q.Unknown}
		for _, s := range q.Scores {
			a.scores[s.Class] = s.Score
		}
		answers = append(answers, a)
	}
	return answers
}

// nodeProgram opens a project and answers queries with deepemd/node.
const nodeProgram = `
import { pathToFileURL } from "node:url";
const [folder, sound, project, ...queries] = process.argv.slice(2);
const { DeepEMD, openProject } = await import(pathToFileURL(folder + "/deepemd/node.js"));
const engine = await DeepEMD.create({ sound: sound === "sound" });
await openProject(engine, project);
const answers = [];
for (const result of await engine.classifyAll(queries)) {
  if (result.status === "rejected") throw result.reason;
  answers.push({ scores: result.value.scores, unknown: result.value.unknown.unknown });
}
console.log(JSON.stringify(answers));
`

// node asks a program for Node, in which the kind of the project is "image" or "sound".
func node(t *testing.T, kind, file string, queries []string) []answer {
	t.Helper()
	program := filepath.Join(t.TempDir(), "answers.mjs")
	require.NoError(t, os.WriteFile(program, []byte(nodeProgram), 0o600))
	cmd := exec.Command("node", append([]string{program, studiotest.SiteFolder(t), kind, file}, queries...)...)
	cmd.Stderr = os.Stderr
	out := require.Value(cmd.Output())(t)
	var said []struct {
		Scores []struct {
			Label string
			Score float64
		}
		Unknown bool
	}
	if err := json.Unmarshal(out, &said); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if len(said) != len(queries) {
		t.Fatalf("the program answers %d of %d queries", len(said), len(queries))
	}
	var answers []answer
	for _, q := range said {
		a := answer{scores: map[string]float64{}, best: q.Scores[0].Label, unknown: q.Unknown}
		for _, s := range q.Scores {
			a.scores[s.Label] = s.Score
		}
		answers = append(answers, a)
	}
	return answers
}

// said is the answer on a page: the label and bar of every class, and the caption.
type said struct {
	Labels  []string
	Bars    []float64
	Caption string
	Unknown bool
}

func (s said) answer() answer {
	a := answer{scores: map[string]float64{}, unknown: s.Unknown}
	for i, label := range s.Labels {
		a.scores[label] = s.Bars[i]
		if strings.HasPrefix(s.Caption, label) {
			a.best = label
		}
	}
	return a
}

// inStudio shows the studio the queries. Scores are the engine's, as bars have only four digits;
// the bars must agree with them.
func inStudio(s *studiotest.Studio, queries []string) []answer {
	s.T.Helper()
	s.Eval(`document.querySelector("#projects[open]")?.close()`)
	const bars = `[...document.querySelectorAll(".bar:not(.unknown)")]`
	const shown = bars + `.length > 0 && ` + bars + `.every((bar) =>
		Math.abs(bar.querySelector(".fill").ariaValueNow - spy.last.find((s) => s.id === bar.dataset.class).score) <= 1e-4)`
	var answers []answer
	for _, query := range queries {
		s.Eval("spy.answers = 0")
		s.Upload("#test-picture", query)
		s.WaitFor("spy.answers > 0 && " + shown)
		// The caption may follow the bars one frame later, or more on a busy machine.
		s.Drawn()
		s.WaitFor(`(() => {
			const caption = document.querySelector(".caption:not(.hidden)"), best = spy.last.reduce((a, b) => (b.score > a.score ? b : a));
			return caption && caption.matches(".stranger") === spy.unknown && (spy.unknown || caption.innerText.startsWith(best.label));
		})()`)
		answers = append(answers, browsertest.Eval[said](s.Browser, `({
			Labels: spy.last.map((s) => s.label), Bars: spy.last.map((s) => s.score),
			Caption: document.querySelector(".caption").innerText,
			Unknown: Boolean(document.querySelector(".caption.stranger")),
		})`).answer())
	}
	return answers
}

// shared opens a shared page from disk, and shows it the queries.
func shared(t *testing.T, kind browsertest.Kind, page string, queries []string) []answer {
	t.Helper()
	tab := studiotest.OpenPage(t, "file://"+page, browsertest.Options{Kind: kind})
	tab.WaitFor(`document.querySelector(".status").innerText === "Ready"`)
	const classes = `[...document.querySelectorAll(".class")]`
	const bars = classes + `.map((c) => c.querySelector(".fill").getAttribute("aria-valuenow"))`
	var answers []answer
	for _, query := range queries {
		tab.Eval(`for (const bar of document.querySelectorAll(".fill")) bar.removeAttribute("aria-valuenow")`)
		tab.Upload("#picture", query)
		tab.WaitFor(bars + `.every(Boolean)`)
		answers = append(answers, browsertest.Eval[said](tab.Browser, `({
			Labels: `+classes+`.map((c) => c.querySelector(".name").innerText), Bars: `+bars+`.map(Number),
			Caption: document.querySelector(".caption").innerText,
			Unknown: Boolean(document.querySelector(".caption.stranger")),
		})`).answer())
	}
	tab.NoProblems()
	return answers
}
