//go:build !js

package node_test

import (
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/wasmtest"
)

// A gallery works in Node, in memory, and does not keep a program that is done.
func TestNodeGallery(t *testing.T) {
	got := run[struct {
		Size     int
		Kept     bool
		Why      string
		Found    []string
		Closed   string
		Removing wasmtest.Failure
		Many     int
		Names    [][]wasmtest.Failure
	}](t, forNode(t, `
		const { openGallery, removeGallery } = await import(pathToFileURL(process.env.PACKAGE + "/gallery.js"));
		const engine = await DeepEMD.create({ weights: "small.safetensors" });
		const gallery = await openGallery(engine, "colors");
		const colors = { red: [220, 30, 20], green: [20, 200, 40], blue: [20, 30, 240] };
		const striped = (color) => {
			const picture = plain(...color);
			picture.data.fill(255, 0, 1500);
			return picture;
		};
		await gallery.add(Object.entries(colors).map(([name, color]) => ({ name, source: striped(color) })));
		const { found } = await gallery.search(striped([25, 190, 45]), { limit: 3, candidates: 3 });
		const many = (await gallery.search(striped([25, 190, 45]), { limit: 60 })).matched; // more than the default of candidates
		const { size, kept, why } = gallery, source = striped([25, 190, 45]);
		const names = [];
		for (const name of ["\ud800", "x".repeat(1001), ""]) {
			names.push(await Promise.all([gallery.add([{ name, source }]), gallery.has(name), gallery.remove([name]), gallery.explain(source, name)].map(failure)));
		}
		names.push([await failure(openGallery(engine, "\ud800"))], [await failure(gallery.add([new Blob([])]))]);
		await gallery.add([{ name: "🐟".repeat(1000), source }]);
		await gallery.remove(["🐟".repeat(1000)]);
		gallery.close();
		const closed = (await failure(gallery.names())).code;
		const again = await openGallery(engine, "other");
		await done({ size, kept, why, found: found.map(({ name }) => name), closed, many, removing: await failure(removeGallery("colors")), names });
	`))
	for i, want := range []string{"surrogate", "1001 characters", "1 to 1000 characters", "surrogate", "a picture has no name: give { name, source }"} {
		for _, refused := range got.Names[i] {
			refused.Check(t, "bad-argument", want)
		}
	}
	if got.Size != 3 || got.Kept || !strings.Contains(got.Why, "no private file system") || got.Many != 3 || len(got.Found) != 3 || got.Found[0] != "green" || got.Closed != "disposed" {
		t.Errorf("%+v", got)
	}
	got.Removing.Check(t, "unsupported", "only in memory")
}
