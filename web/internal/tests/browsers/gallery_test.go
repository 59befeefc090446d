//go:build !js

package browsers_test

import (
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// A gallery is saved, changed by two objects, which act like two tabs, and reopened after a reload.
func TestGallery(t *testing.T) {
	browsertest.InEach(t, func(t *testing.T, kind browsertest.Kind) {
		s := open(t, kind, "/examples/")
		const tools = `
			const { DeepEMD } = await import("/deepemd/deepemd.js"), { openGallery } = await import("/deepemd/gallery.js");
			const engine = await DeepEMD.create();
			const fruits = ["apple", "banana", "orange"].flatMap((thing) => [1, 2, 3, 4].map((n) => "/web/demo/" + thing + "-" + n + ".jpg"));`
		type outcome struct {
			Added, Other, Size, Found int
			Why, Best, Refused        string
		}
		got := browsertest.Eval[outcome](s.Browser, `(async () => {`+tools+`
			const one = await openGallery(engine, "fruits"), two = await openGallery(engine, "fruits");
			const { added } = await one.add(fruits);
			let other, refused = "";
			const slow = one.add(Array.from({ length: 400 }, (_, i) => ({ name: "again " + i, source: fruits[i % 12] })));
			while (refused === "" && other === undefined) {
				await new Promise((resolve) => setTimeout(resolve, 300));
				await two.remove(["again 0"]).then((n) => (other = n), ({ code }) => (refused = code));
			}
			await slow;
			other = await two.remove(Array.from({ length: 400 }, (_, i) => "again " + i));
			const { found } = await one.search("/web/demo/banana-5.jpg");
			return { added, other, size: one.size, why: one.why, best: found[0]?.name, found: found.length, refused };
		})()`)
		t.Logf("%s: %+v", kind.Name, got)
		if got.Why != "" {
			t.Skipf("%s keeps no files here: %s", kind.Name, got.Why)
		}
		if got.Added != 12 || got.Other != 400 || got.Size != 12 || got.Found != 10 || !strings.Contains(got.Best, "banana") || got.Refused != "in-use" {
			t.Errorf("%+v: want 12 added, 400 removed by the other, a banana first, and a change refused meanwhile", got)
		}
		s.Open(s.Origin + "/examples/")
		again := browsertest.Eval[outcome](s.Browser, `(async () => {`+tools+`
			const gallery = await openGallery(engine, "fruits"), { size } = gallery, { added } = await gallery.add(fruits);
			await gallery.clear();
			return { size, added, other: gallery.size, why: gallery.why };
		})()`)
		if again.Size != 12 || again.Added != 0 || again.Other != 0 || again.Why != "" {
			t.Errorf("after a reload: %+v", again)
		}
		s.nothingLeft()
	})
}
