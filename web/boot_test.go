package web

import (
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// packaged begins a program whose imports from the package deepemd are of wasm/npm, as in the page.
const packaged = `
		import { register } from "node:module";
		register("data:text/javascript," + encodeURIComponent(
			'export const resolve = (name, context, next) => next(name.startsWith("deepemd/") ? "' + ROOT + 'wasm/npm/" + name.slice(8) : name, context);'));`

// The actions of rules are there after the network has failed once.
func TestEffectsAreLoadedAgain(t *testing.T) {
	page := nodetest.Start(t, packaged+`
		register("data:text/javascript," + encodeURIComponent(
			'let failed = false;' +
			'export function resolve(name, context, next) {' +
			'	if (name === "./effects.js" && !failed) { failed = true; throw new Error("offline"); }' +
			'	return next(name, context);' +
			'}'));
		const anything = new Proxy(function () {}, { get: (_, name) => (name === Symbol.toPrimitive ? () => "" : anything), set: () => true, apply: () => anything });
		Object.assign(globalThis, {
			addEventListener() {}, document: anything, preferences: anything, location: { hash: "" }, navigator: {}, WebAssembly: undefined,
			IntersectionObserver: class {}, MutationObserver: class { observe() {} }, window: globalThis, parent: globalThis,
		});
		await import(ROOT + "web/static/web/boot.js");
		async function answer() {
			const load = () => studio.effects(() => {}).then((effects) => effects, ({ message }) => message);
			const first = await load(), second = await load();
			return [first, typeof second.perform, second === (await load())];
		}`)
	var got []any
	if err := page.Ask(t, nil, &got); err != nil || len(got) != 3 || got[0] != "offline" || got[1] != "function" || got[2] != true {
		t.Errorf("%v, error %+v", got, err)
	}
}
