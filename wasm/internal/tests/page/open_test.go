//go:build !js

package page_test

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
)

// An engine reports its complete method and its choices, even if the options omit them.
func TestPageMethods(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[struct {
		Usual, Chosen, Hot, Whole, Named, Back method.Method
		Choices                                map[string][]struct{ Name, What string }
		Learned                                []bool
		Told, Silent                           bool
		Refused                                failure
	}](b, `(async () => {
		const engine = await taught();
		const usual = engine.method;
		const other = await DeepEMD.create({ weights: small, method: { ...usual, classifier: "nearest", strangers: { name: false } }, embedder: { kind: "grid", grid: [2] }, temperature: 20 });
		const chosen = other.method;
		other.dispose();

		// What was learned stays while scores do.
		await engine.train({ passes: 2, check: false });
		const learned = [engine.learned];
		await engine.configure({ strictness: 0.9 });
		learned.push(engine.learned);
		await engine.addClass("empty", { id: "empty" });
		await engine.enableClass("empty", false);
		await engine.enableClass("red", true);
		learned.push(engine.learned);
		await engine.removeClass("empty");
		await engine.configure({ temperature: 25 });
		learned.push(engine.learned);
		const hot = engine.method;
		const refused = await failure(engine.configure({ method: { classifier: "oracle" } }));
		await engine.configure({ method: { solver: "dense", balance: false } });
		const whole = engine.method;
		await engine.configure({ classifier: "fusion", unknown: false });
		const named = engine.method;
		const silent = (await engine.classify(plain(9, 9, 9))).unknown === undefined;
		const told = (await engine.classify(plain(9, 9, 9), { unknown: true })).unknown !== undefined;
		await engine.configure({ method: usual });
		const choices = engine.choices;
		return { usual, chosen, hot, whole, named, back: engine.method, choices, learned, told, silent, refused };
	})()`)
	want := func(name string, got method.Method, text string) {
		t.Helper()
		if m, err := method.Parse(text); err != nil || !got.Equal(m) {
			t.Errorf("%s: %v, want %v, %v", name, got, m, err)
		}
	}
	want("usual", got.Usual, "")
	want("chosen", got.Chosen, "embedder=grid grid=2 classifier=nearest temperature=20 strangers=off")
	want("hot", got.Hot, "temperature=25 strangers=0.9")
	want("whole", got.Whole, "solver=dense balance=off")
	want("named", got.Named, "solver=dense balance=off classifier=fusion strangers=off")
	want("back", got.Back, "")
	if fmt.Sprint(got.Learned) != "[true true true false]" {
		t.Errorf("learned %v", got.Learned)
	}
	if !got.Silent || !got.Told {
		t.Errorf("silent %v where the method names no strangers, told %v when asked", got.Silent, got.Told)
	}
	kit := learner.CommonParts()
	for name, n := range map[string]int{"embedders": len(kit.Embedders), "classifiers": len(kit.Classifiers), "weightings": len(kit.Weightings), "solvers": len(kit.Solvers)} {
		if list := got.Choices[name]; len(list) != n || list[0].What == "" {
			t.Errorf("%s to choose: %v, want %d", name, list, n)
		}
	}
	got.Refused.Check(t, "bad-argument", "oracle")
	b.NoProblems()
}

// Readers of a manifest agree on the method that it means: the table is the Go reader's.
func TestPageReadsMethods(t *testing.T) {
	_, b := newSite(t)
	text := require.Value(os.ReadFile("../../../../core/project/testdata/methods.json"))(t)
	var table []struct {
		Manifest   map[string]json.RawMessage
		Method     string
		Kind       string // where it differs from the table's, "image"
		Extensions json.RawMessage
		Refused    string
	}
	require.NoError(t, json.Unmarshal(text, &table))
	var files []string
	for _, c := range table {
		given, err := json.Marshal(c.Manifest)
		require.NoError(t, err)
		var buf bytes.Buffer
		archive := zip.NewWriter(&buf)
		entry, err := archive.Create("manifest.json")
		if err == nil {
			_, err = entry.Write([]byte(strings.Replace(string(given), "{", `{"format": "deepemd-project", "kind": "image", "name": "a", "classes": [], `, 1)))
		}
		require.NoError(t, err)
		require.NoError(t, archive.Close())
		files = append(files, base64.StdEncoding.EncodeToString(buf.Bytes()))
	}
	list := require.Value(json.Marshal(files))(t)
	got := browsertest.Eval[[]struct {
		Failure    failure
		Version    int
		Kind       string
		Manifest   method.Method
		Engine     method.Method
		Extensions json.RawMessage
	}](b, `(async () => {`+projectScript+`
		const engine = await DeepEMD.create({ weights: small });
		const read = [];
		for (const file of `+string(list)+`) {
			try {
				const unpacked = await unpackProject(fromBase64(file));
				const on = unpacked.manifest.kind === "features" ? await DeepEMD.matcher(unpacked.manifest.network) : engine;
				const manifest = await openProject(on, unpacked);
				read.push({ failure: { code: "none" }, version: manifest.version, kind: manifest.kind, manifest: manifest.method, engine: on.method, extensions: manifest.extensions });
			} catch (error) {
				read.push({ failure: { code: error.code, message: error.message } });
			}
		}
		return read;
	})()`)
	for i, c := range table {
		given, _ := json.Marshal(c.Manifest)
		if c.Refused != "" {
			// The engine rejects values that only it can check.
			if code := got[i].Failure.Code; (c.Refused == "newer") != (code == "newer-project") || code != "newer-project" && code != "bad-project" && code != "bad-argument" {
				t.Errorf("%s: %+v, want it refused as %s", given, got[i].Failure, c.Refused)
			}
			continue
		}
		want := require.Value(method.Parse(c.Method))(t)
		if got[i].Failure.Code != "none" || got[i].Version != project.Version || got[i].Kind != cmp.Or(c.Kind, "image") || !got[i].Manifest.Equal(want) || !got[i].Engine.Equal(want) {
			t.Errorf("%s: %+v, want %v", given, got[i], want)
		}
		var wanted, found any
		_ = json.Unmarshal(c.Extensions, &wanted)
		_ = json.Unmarshal(got[i].Extensions, &found)
		if fmt.Sprint(wanted) != fmt.Sprint(found) {
			t.Errorf("%s: extensions %s, want %s", given, got[i].Extensions, c.Extensions)
		}
	}
	b.NoProblems()
}

// verdict is the essence of an answer.
type verdict struct {
	Scores  []answer.Score
	Unknown *struct {
		Unknown          bool
		Score, Threshold float64
	}
}

// A project answers in a page as where it was saved: in a page, or by a Go learner, with classes of
// unequal size, a disabled class, and unknown queries. It replaces the classes of the engine, even if
// ids are equal.
func TestPageOpensWhatWasSaved(t *testing.T) {
	s, b := newSite(t)
	for _, text := range []string{"", "classifier=nearest temperature=20 strangers=0.7", "balance=off weighting=equal embedder=grid grid=2 strangers=off"} {
		t.Run(text, func(t *testing.T) {
			m := require.Value(method.Parse(text))(t)
			native := require.Value(learner.OpenWith(s.SmallWeights, learner.Options{Method: m, Digest: archive.Digest(s.SmallWeights)}))(t)
			for _, c := range []struct {
				id       string
				examples []int
			}{{"red", []int{0, 3, 6, 9, 12}}, {"green", []int{1, 4}}, {"blue", []int{2}}} {
				require.NoError(t, native.AddClass(c.id, "class "+c.id))
				for _, n := range c.examples {
					require.Value(native.AddExample(c.id, fmt.Sprint("example-", n), learner.Picture{Data: pngFile(t, texture(n))}))(t)
				}
			}
			require.NoError(t, native.EnableClass("blue", false))
			var file bytes.Buffer
			require.NoError(t, archive.Save(&file, native, project.Manifest{Name: "Unequal"}))
			queries := map[string][]byte{}
			encoded := map[string]string{}
			for n := range 12 {
				name := fmt.Sprint(n)
				queries[name] = pngFile(t, texture(20+n))
				encoded[name] = base64.StdEncoding.EncodeToString(queries[name])
			}
			asked := require.Value(json.Marshal(encoded))(t)
			got := browsertest.Eval[struct {
				Opened, Again map[string]verdict
				Classes       string
				Method        method.Method
				Reused        bool
				Saved         string
				Workers       []int
			}](b, fmt.Sprintf(`(async () => {`+projectScript+`
				const engine = await taught({ workers: 2 });
				const file = fromBase64(%q), queries = %s;
				const workers = [engine.info.workers];
				await openProject(engine, file);
				workers.push(engine.info.workers);
				const all = async (engine) => {
					const found = {};
					for (const [name, png] of Object.entries(queries)) found[name] = await engine.classify(fromBase64(png));
					return found;
				};
				const opened = await all(engine);
				const restarted = next(engine, "restart");
				await engine[crash]("panic").catch(() => {});
				await restarted;
				workers.push(engine.info.workers);
				const saved = await saveProject(engine, { name: "Again" });
				const other = await DeepEMD.create({ weights: small });
				await openProject(other, saved);
				const project = await unpackProject(file);
				const reused = (await project.embedding(0, await other.network())) !== undefined;
				return {
					opened, again: await all(other), method: engine.method, reused, workers, saved: await base64(saved),
					classes: other.classes.map((c) => [c.id, c.label, c.enabled, c.examples.length].join(":")).join(" "),
				};
			})()`, base64.StdEncoding.EncodeToString(file.Bytes()), asked))
			if want := "red:class red:true:5 green:class green:true:2 blue:class blue:false:1"; got.Classes != want {
				t.Errorf("classes %s, want %s", got.Classes, want)
			}
			if !got.Method.Equal(m) || !got.Reused {
				t.Errorf("method %v, want %v; embeddings of the file used: %v", got.Method, m, got.Reused)
			}
			// Further workers come where the project's pictures have crops.
			helped := 1
			if m.Embedder.Kind == method.Grid {
				helped = 2
			}
			if want := []int{1, helped, helped}; !slices.Equal(got.Workers, want) {
				t.Errorf("%v workers at first, with the project and after a crash; want %v", got.Workers, want)
			}
			saved := unbase64(t, got.Saved)
			again := require.Value(archive.Read(bytes.NewReader(saved), int64(len(saved))))(t)
			if again.Manifest.Version != project.Version || !again.Manifest.Method.Equal(m) || !again.Manifest.Classes[2].Disabled || again.Manifest.Kind != project.KindImage {
				t.Errorf("the page saved %+v", again.Manifest)
			}
			unknown := 0
			for name, png := range queries {
				want := require.Value(native.Model().Classify(learner.Picture{Data: png}))(t)
				for where, answers := range map[string]map[string]verdict{"opened": got.Opened, "saved and opened again, by another": got.Again} {
					sameVerdict(t, where+", query "+name, answers[name], &want.Answer)
				}
				if want.Unknown() {
					unknown++
				}
			}
			t.Logf("%d of %d queries are unknown", unknown, len(queries))
		})
	}
	b.NoProblems()
}

// sameVerdict asserts that scores agree within 1e-4, and verdicts wherever the score is
// not that near the threshold.
func sameVerdict(t *testing.T, what string, got verdict, want *answer.Answer) {
	t.Helper()
	const tolerance = 1e-4
	if len(got.Scores) != len(want.Scores) {
		t.Fatalf("%s: %d scores, want %d", what, len(got.Scores), len(want.Scores))
	}
	byID := map[string]float64{}
	for _, s := range got.Scores {
		byID[s.ID] = s.Score
	}
	for _, s := range want.Scores {
		if g, ok := byID[s.ID]; !ok || math.Abs(g-s.Score) > tolerance {
			t.Errorf("%s: class %s has score %v, want %v", what, s.ID, g, s.Score)
		}
	}
	f := want.Verdict
	if (got.Unknown == nil) != (f == nil) {
		t.Fatalf("%s: says of strangers %v, want %v", what, got.Unknown, f)
	}
	if f == nil {
		return
	}
	if math.Abs(got.Unknown.Score-f.Score) > 1e-3 || math.Abs(got.Unknown.Threshold-f.Threshold) > 1e-3 {
		t.Errorf("%s: familiarity %+v, want %+v", what, got.Unknown, f)
	}
	if math.Abs(f.Score-f.Threshold) > tolerance && got.Unknown.Unknown != f.Unknown {
		t.Errorf("%s: unknown %v, want %v", what, got.Unknown.Unknown, f.Unknown)
	}
}

// Whatever goes wrong while a project is opened, the engine is what it was before.
func TestPageOpensWholeOrNotAtAll(t *testing.T) {
	_, b := newSite(t)
	colors := require.Value(os.ReadFile("../../../../core/project/archive/testdata/colors.deepemd"))(t)
	// All checksums are valid, but one picture has only a header.
	broken := repacked(t, colors, "pictures/00003.png", func(png []byte) []byte { return png[:40] })
	heard := repacked(t, colors, "manifest.json", func(text []byte) []byte { return bytes.Replace(text, []byte(`"image"`), []byte(`"sound"`), 1) })
	bare := repacked(t, broken, "embeddings.safetensors", nil)
	got := browsertest.Eval[struct {
		Failures map[string]failure
		Changed  map[string]string
		Labels   map[string]int
	}](b, fmt.Sprintf(`(async () => {`+projectScript+`
		const good = fromBase64(%q), broken = fromBase64(%q), heard = fromBase64(%q), bare = fromBase64(%q);
		const engine = await taught({ classifier: "nearest", temperature: 20 });
		await engine.enableClass("green", false);
		const state = async () => JSON.stringify([
			engine.method, engine.classes.map(({ id, label, enabled, examples }) => [id, label, enabled, examples.map((e) => [e.id, e.size])]),
			(await engine.classify(plain(60, 80, 140))).scores, engine.info.crops, await engine.network(),
		]);
		const before = await state();
		const stop = new AbortController();
		let crashing;
		const attempts = {
			broken: () => openProject(engine, broken),
			bare: () => openProject(engine, bare),
			heard: () => openProject(engine, heard),
			aborted: () => openProject(engine, good, { signal: stop.signal, onProgress: (done) => done === 2 && stop.abort(new DeepEMDError("changed", "stopped")) }),
			method: () => engine.replace({ classifier: "oracle" }, async () => {}),
			teach: () => engine.replace({ embedder: { kind: "sampling" } }, async (draft) => {
				const id = await draft.addClass("x", { id: "red" });
				await draft.addExample(id, plain(1, 2, 3), { id: engine.classes[0].examples[0].id });
				throw new DeepEMDError("changed", "of its own accord");
			}),
			crashed: () => openProject(engine, good, { onProgress: (done) => {
				if (done === 1) crashing = next(engine, "restart"), engine[crash]("panic").catch(() => {});
			} }),
		};
		const failures = {}, changed = {};
		for (const [name, attempt] of Object.entries(attempts)) {
			failures[name] = await failure(attempt());
			await crashing;
			const after = await state();
			if (after !== before) changed[name] = before + "\n" + after;
		}
		// It answers meanwhile as it was, and what comes too late goes with what it belongs to.
		const labels = {};
		let done = false;
		const late = [];
		const opening = openProject(engine, good).finally(() => { done = true; });
		while (!done) {
			const label = (await engine.classify(plain(20, 30, 240))).scores[0].label + engine.classes.length;
			labels[label] = (labels[label] ?? 0) + 1;
			late.push(engine.addExample("blue", plain(0, 0, 200)).catch(() => {}));
		}
		await opening;
		await Promise.all(late);
		labels.examples = engine.classes.flatMap((c) => c.examples).length;
		labels.kept = (await unpackProject(good)).count;
		await engine.review();
		return { failures, changed, labels };
	})()`, b64(colors), b64(broken), b64(heard), b64(bare)))
	for name, code := range map[string]string{
		"broken": "bad-image", "bare": "bad-image", "heard": "wrong-kind", "aborted": "changed", "method": "bad-argument", "teach": "changed", "crashed": "crashed",
	} {
		if f := got.Failures[name]; f.Code != code {
			t.Errorf("%s: %+v, want code %q", name, f, code)
		}
	}
	got.Failures["heard"].Check(t, "wrong-kind", "sounds", "sound: true")
	for name, change := range got.Changed {
		t.Errorf("%s changed the engine:\n%s", name, change)
	}
	if got.Labels["examples"] < got.Labels["kept"] {
		t.Errorf("%d examples, fewer than the file's %d", got.Labels["examples"], got.Labels["kept"])
	}
	b.NoProblems()
}

func b64(data []byte) string { return base64.StdEncoding.EncodeToString(data) }
