//go:build !js

package element_test

import (
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/internal/browsertest"
)

// A project opens with the package's network that taught it, unless the page chooses one: nothing
// is embedded again.
func TestElementUsesTheNetworkOfItsProject(t *testing.T) {
	_, b := newElement(t, `<deep-emd></deep-emd>`)
	b.WaitFor(`element.engine.then(() => true)`)
	got := browsertest.Eval[[]string](b, `(async () => {
		const { DeepEMD } = await import("/deepemd/deepemd.js");
		const { saveProject } = await import("/deepemd/project.js");
		const out = [], xs = new URL("/weights/`+network.ResNet12XSFile+`", location.href).href;
		const taught = async (options) => {
			const engine = await DeepEMD.create(options);
			const id = await engine.addClass("cup");
			for (let i = 0; i < 2; i++) await engine.addExample(id, plain(200 - 90 * i, 20, 90 * i));
			const embeddings = engine.classes[0].examples.map((e) => e.embedding.join());
			const file = await saveProject(engine);
			engine.dispose();
			return { file, embeddings };
		};
		const small = await taught({ weights: xs }), usual = await taught({});
		const now = async (made) => {
			const engine = await element.engine;
			const same = engine.classes[0].examples.every((e, i) => e.embedding.join() === made.embeddings[i]);
			out.push(engine.info.name + " " + same);
		};
		for (const made of [small, usual, small]) {
			element.project = made.file;
			await next(element, "change");
			await now(made);
		}
		element.options = { timeout: 60_000 }; // another engine
		await next(element, "ready");
		await now(small);
		element.weights = "/weights/`+network.ResNet12PhotoFile+`";
		await next(element, "ready");
		await now(small);
		element.project = (await taught({ weights: xs })).file;
		await next(element, "change");
		await now(small);
		return out;
	})()`)
	const usual, small = network.ResNet12Photo, network.ResNet12XS
	for i, want := range []string{small + " true", usual + " true", small + " true", small + " true", usual + " false", usual + " false"} {
		if i >= len(got) || got[i] != want {
			t.Errorf("%d: %q, want %q", i, got, want)
		}
	}
	b.NoProblems()
}

// Classes that the page declares stay in the list when a project replaces taught ones, and can be taught.
func TestElementKeepsDeclaredClasses(t *testing.T) {
	_, b := newElement(t, `<deep-emd weights="SMALL" classes="cup, pen, fork"></deep-emd>`)
	b.WaitFor(`events.some((e) => e.type === "ready")`)
	got := browsertest.Eval[[]string](b, `(async () => {
		const { DeepEMD } = await import("/deepemd/deepemd.js");
		const { saveProject } = await import("/deepemd/project.js");
		const engine = await DeepEMD.create({ weights: "/weights/small.safetensors" });
		for (const label of ["apple", "cat"]) await engine.addExample(await engine.addClass(label), plain(9, 200, 9));
		const project = await saveProject(engine);
		engine.dispose();
		for (const label of ["cup", "pen"]) await element.teach(label, plain(200, 20, 20));
		element.project = project;
		await next(element, "change");
		const out = [element.classes.join()];
		await element.teach("pen", plain(200, 20, 20));
		out.push((await element.engine).classes.map((c) => c.label + c.examples.length).join(), element.classes.map((label) => label + count(label)).join());
		return out;
	})()`)
	want := []string{"cup,pen,fork,apple,cat", "apple1,cat1,pen1", "cup0,pen1,fork0,apple1,cat1"}
	if !slices.Equal(got, want) {
		t.Errorf("classes %q, want %q", got, want)
	}
	b.NoProblems()
}
