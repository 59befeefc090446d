//go:build !js

package wasm_test

import (
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// TestReteachingUsedIDs removes a class and an example while a second engine learns them, and uses their ids again.
func TestReteachingUsedIDs(t *testing.T) {
	page := nodetest.Start(t, `
		const { Reteaching } = await import(ROOT + "wasm/npm/reteach.js");
		const { Taught } = await import(ROOT + "wasm/npm/taught.js");
		async function answer() {
			const taught = new Taught(), known = new Map();
			const example = (id, classId, mark) => taught.addExample({ id, classId, size: 1, pixels: new Uint8Array(3).fill(mark), embedding: new Float32Array(1) });
			taught.addClass("a", "a");
			taught.addClass("b", "b");
			example("1", "a", 1);
			example("2", "b", 2);
			const link = {
				async request({ type, classId, exampleId, picture }) {
					if (type === "removeExample" && !known.delete(exampleId)) throw Object.assign(new Error(), { code: "unknown-example" });
					if (type === "removeClass") for (const [id, [owner]] of known) if (owner === classId) known.delete(id);
					if (type !== "addExample") return {};
					known.set(exampleId, [classId, picture.data[0]]);
					return { pixels: picture, embedding: new Float32Array(1) };
				},
			};
			const teaching = new Reteaching(link);
			while (!(await teaching.round(() => taught.classes)));
			taught.removeExample("1");
			example("1", "b", 3);
			taught.classes.delete("a");
			taught.addClass("c", "a");
			example("3", "a", 4);
			const before = teaching.complete(taught.classes);
			while (!(await teaching.round(() => taught.classes)));
			return [before, teaching.complete(taught.classes), ...[...known].map(([id, of]) => [id, ...of].join(" "))].map(String);
		}`)
	var got []string
	if err := page.Ask(t, struct{}{}, &got); err != nil || !slices.Equal(got, []string{"false", "true", "2 b 2", "1 b 3", "3 a 4"}) {
		t.Errorf("%q, error %+v", got, err)
	}
}
