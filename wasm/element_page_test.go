//go:build !js

package wasm_test

import (
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// TestElementLeaves checks that a removed element starts no engine for the changes that were queued, until it is back.
func TestElementLeaves(t *testing.T) {
	page := nodetest.Start(t, `
		const { install } = await import(ROOT + "wasm/npm/platform.js");
		let started = 0;
		install({ locate: (address) => new URL(address), remedies: {}, startWorker: () => (started++, { terminate() {}, postMessage() {} }) });
		const { Keeper } = await import(ROOT + "wasm/npm/element-engine.js");
		const nothing = () => {};
		async function answer() {
			const settings = { options: () => ({}), get: nothing };
			const keeper = new Keeper({ settings, content: {}, rows: {} }, { begin: nothing, rest: nothing, report: nothing });
			keeper.engine().catch(nothing);
			await new Promise((resolve) => setTimeout(resolve, 10));
			keeper.turn(async () => {});
			keeper.turn(async () => {});
			keeper.leave();
			await new Promise((resolve) => setTimeout(resolve, 10));
			const gone = { started, open: keeper.open };
			keeper.engine().catch(nothing);
			await new Promise((resolve) => setTimeout(resolve, 10));
			return { ...gone, back: started };
		}`)
	var got struct {
		Started, Back int
		Open          bool
	}
	if err := page.Ask(t, struct{}{}, &got); err != nil || got.Started != 1 || got.Back != 2 || got.Open {
		t.Errorf("%+v, error %+v; want one engine, none, and another", got, err)
	}
}

// TestElementFollowsContent changes the classes and pictures of elements that stay in the page, like a framework without
// keys: the engine has the page's classes and pictures.
func TestElementFollowsContent(t *testing.T) {
	page := nodetest.Start(t, `
		let changed;
		globalThis.MutationObserver = class {
			constructor(told) { changed = told; }
			observe() {}
		};
		globalThis.HTMLImageElement = class {
			dataset = {};
			constructor(owner) { this.owner = owner; }
			getAttribute(name) { return name === "src" ? this.src : null; }
			closest() { return this.owner; }
		};
		class Owner {
			picture = new HTMLImageElement(this);
			getAttribute() { return this.name; }
			contains(picture) { return picture.owner === this; }
		}
		const { Content } = await import(ROOT + "wasm/npm/element-content.js");
		const { Keeper } = await import(ROOT + "wasm/npm/element-engine.js");
		const owners = [], said = [], report = (error) => said.push(error.message);
		const host = { querySelectorAll: (what) => (what === "deep-emd-class" ? owners : owners.map(({ picture }) => picture)) };
		const engine = {
			classes: [],
			async addClass(label) {
				engine.classes.push({ id: "id of " + label, label, examples: [] });
				return "id of " + label;
			},
			async renameClass(id, label) { engine.classes.find((c) => c.id === id).label = label; },
			async removeClass(id) { engine.classes = engine.classes.filter((c) => c.id !== id); },
			async addExample(id, { src }, { id: example }) {
				if (engine.classes.some((c) => c.examples.some((e) => e.id === example))) throw new Error("twice " + src);
				engine.classes.find((c) => c.id === id).examples.push({ id: example, src });
			},
			async removeExample(id) {
				const owner = engine.classes.find((c) => c.examples.some((e) => e.id === id));
				owner.examples = owner.examples.filter((e) => e.id !== id);
			},
		};
		const rows = {
			all: [],
			find: (label) => rows.all.find((row) => row.label === label),
			row(label) {
				if (!rows.find(label)) {
					const row = { label, known: () => row.made, classId: () => (row.made ??= engine.addClass(label).then((id) => (row.id = id))) };
					rows.all.push(row);
				}
				return rows.find(label);
			},
			remove(row) { rows.all = rows.all.filter((other) => other !== row); },
			follow() {},
		};
		const content = new Content(host, {
			add: (label) => rows.row(label),
			remove: (label) => keeper.removeClass(label),
			rename: (before, after) => keeper.renameClass(before, after),
			pictures: () => keeper.turn(() => keeper.learn(engine)),
		});
		const keeper = new Keeper({ settings: { get() {} }, content, rows }, { report, change() {} });
		let turns = Promise.resolve();
		keeper.turn = (change) => { turns = turns.then(() => change(engine)).catch(report); };
		Object.defineProperty(keeper, "open", { value: true });
		content.follow();
		async function answer(declared) {
			owners.length = Math.min(owners.length, declared.length);
			declared.forEach((text, i) => {
				owners[i] ??= new Owner();
				[owners[i].name, owners[i].picture.src] = text.split(" ");
			});
			changed();
			await turns;
			return [...engine.classes.flatMap((c) => c.examples.map((e) => c.label + " " + e.src)).sort(), ...said.splice(0)];
		}`)
	for _, declared := range [][]string{
		{"cup a", "cup b", "pen c"},
		{"cup b", "pen c"},
		{"pen c"},
		{"mug d", "pen c"},
		{"mug d", "mug c"},
		{"mug c", "mug c"},
		{"mug c"},
		{"pen a"},
	} {
		var got []string
		err := page.Ask(t, declared, &got)
		slices.Sort(declared)
		if want := slices.Compact(declared); err != nil || !slices.Equal(got, want) {
			t.Errorf("the engine has %q, want %q; error %+v", got, want, err)
		}
	}
}

// TestElementFollowsLanguages changes the attribute lang of elements around one in a shadow tree, and moves it.
func TestElementFollowsLanguages(t *testing.T) {
	page := nodetest.Start(t, `
		const seen = [];
		class Node {
			constructor(parent, lang) { Object.assign(this, { parent, lang }); }
			getRootNode() { return this.parent?.getRootNode() ?? this; }
			closest() { return this.lang ? this : this.parent?.closest?.(); }
			getAttribute() { return this.lang; }
			within(root) { return this === root || this.parent?.within(root); }
			speak(lang) {
				this.lang = lang;
				for (const { root, subtree, told } of seen) if (this === root || (subtree && this.within(root))) told();
			}
		}
		globalThis.ShadowRoot = class extends Node {
			constructor(host) {
				super();
				this.host = host;
			}
			closest() {}
		};
		globalThis.MutationObserver = class {
			constructor(told) { this.told = told; }
			observe(root, { subtree }) { seen.push({ root, subtree, told: this.told, of: this }); }
			disconnect() { seen.splice(0, seen.length, ...seen.filter(({ of }) => of !== this)); }
		};
		Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] } });
		const { Language } = await import(ROOT + "wasm/npm/element-language.js");
		function answer() {
			globalThis.document = { documentElement: new Node() };
			const html = document.documentElement, article = new Node(html), card = new Node(article), inner = new Node(new ShadowRoot(card)), host = new Node(inner);
			const language = new Language(host, () => {}), said = [];
			const note = () => said.push(language.words.lang);
			language.follow();
			for (const [node, lang] of [[html, "de"], [article, "es"], [inner, "de"], [inner, ""]]) {
				node.speak(lang);
				note();
			}
			host.parent = html;
			language.follow();
			note();
			article.speak("de");
			html.speak("en");
			note();
			return said;
		}`)
	var got []string
	if err := page.Ask(t, struct{}{}, &got); err != nil || !slices.Equal(got, []string{"de", "es", "de", "es", "de", "en"}) {
		t.Errorf("%q, error %+v", got, err)
	}
}
