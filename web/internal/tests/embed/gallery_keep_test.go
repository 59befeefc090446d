//go:build !js

package embed_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// Added images are found by their parts, survive a reload, and can be removed.
func TestKept(t *testing.T) {
	s := openTab(t, plain, browsertest.Options{})
	type outcome struct {
		Added, There, Failed, Size, Bytes int
		Kept                              bool
		First                             []string
		Similarity, Scores                float64
		Links                             int
		Left                              []float64
	}
	const work = `
		const engine = await DeepEMD.create(), gallery = await openGallery(engine, "fruits & cats");
		const pictures = ["apple", "banana", "cat", "orange"].flatMap((thing) => [1, 2, 3, 4].map((n) => "/web/demo/" + thing + "-" + n + ".jpg"));
		const left = [];
		const { added, there, failed } = await gallery.add([...pictures, { name: "no picture", source: new Blob(["none"]) }], { onProgress: (p) => left.push(p.left) });
		const { found } = await gallery.search("/web/demo/banana-5.jpg");
		const { similarity, flow } = await gallery.explain("/web/demo/banana-5.jpg", found[0].name);
		return {
			added, there, failed: failed.length, size: gallery.size, bytes: gallery.bytes, kept: gallery.kept, left,
			first: found.slice(0, 3).map(({ name }) => name), similarity: similarity - found[0].similarity, scores: flow.reduce((sum, l) => sum + l.score, 0) - similarity, links: flow.length,
		};`
	got := does[outcome](s, work)
	if got.Added != 16 || got.There != 0 || got.Failed != 1 || got.Size != 16 || !got.Kept {
		t.Errorf("%+v: want 16 added, one that cannot be read", got)
	}
	if len(got.Left) != 17 || got.Left[16] != 0 || got.Left[3] <= 0 {
		t.Errorf("the time left was %v", got.Left)
	}
	for _, name := range got.First {
		if !strings.Contains(name, "banana") {
			t.Errorf("a banana finds %v", got.First)
		}
	}
	if d := got.Similarity; d > 1e-6 || d < -1e-6 || got.Scores > 1e-6 || got.Scores < -1e-6 || got.Links < 25 {
		t.Errorf("the explanation differs from the search by %v, its links by %v; %d links", d, got.Scores, got.Links)
	}

	s.Open(s.Origin + plain)
	again := does[outcome](s, work)
	if again.Added != 0 || again.There != 16 || again.Bytes != got.Bytes || again.First[0] != got.First[0] {
		t.Errorf("after a reload %+v, before %+v", again, got)
	}
	gone := does[[]int](s, `
		const gallery = await openGallery(await DeepEMD.create(), "fruits & cats");
		const removed = await gallery.remove(["/web/demo/cat-1.jpg", "nobody"]), { size } = gallery, names = await gallery.names();
		await gallery.clear();
		return [removed, size, names.length, gallery.size, gallery.bytes, (await gallery.search("/web/demo/cat-1.jpg")).found.length];`)
	for i, want := range []int{1, 15, 15, 0, 0, 0} {
		if gone[i] != want {
			t.Errorf("after removing: %v", gone)
			break
		}
	}
}

// A tab that is closed while it adds images loses only uncommitted ones, and the next tab
// continues.
func TestTabIsClosedWhileAdding(t *testing.T) {
	s := openTab(t, plain, browsertest.Options{})
	does[bool](s, `
		globalThis.kept = 0;
		openGallery(await matcher(), "many").then((gallery) => gallery.add([made(3), ...fillers(100000)], { onProgress: (p) => (globalThis.kept = p.kept) }));
		return true;`)
	s.WaitFor(`globalThis.kept >= 256`)
	kept := browsertest.Eval[int](s.Browser, `globalThis.kept`)
	next := s.another(plain)
	s.Kill()
	got := does[[]int](next, `
		const gallery = await openGallery(await matcher(), "many"), { size } = gallery;
		const { there, added } = await gallery.add([made(3), ...fillers(size + 499)]);
		const { found } = await gallery.search(made(3).source);
		return [size, there, added, gallery.size, Number(found[0].name === "made 3")];`)
	if size := got[0]; size < kept || got[1] != size || got[2] != 500 || got[3] != size+500 || got[4] != 1 {
		t.Errorf("%d were kept; then there were, were found there, were added, are in all, and found themselves: %v", kept, got)
	}
	t.Logf("%d were kept as far as the page knew, %d are there", kept, got[0])
}

// Two tabs search a gallery, and only one at a time changes it.
func TestTwoTabs(t *testing.T) {
	one := openTab(t, plain, browsertest.Options{})
	does[int](one, `
		globalThis.gallery = await openGallery(await matcher(), "shared");
		return (await gallery.add(many(0, 300))).added;`)
	two := one.another(plain)
	if size := does[int](two, `globalThis.gallery = await openGallery(await matcher(), "shared"); return gallery.size`); size != 300 {
		t.Errorf("the other tab opens %d pictures", size)
	}
	does[bool](one, `
		globalThis.stop = new AbortController();
		globalThis.adding = refusal(gallery.add([made(300), ...fillers(100000)], { signal: stop.signal, onProgress: (p) => (globalThis.kept = p.kept) }));
		return true;`)
	one.WaitFor(`globalThis.kept > 300`)
	refused := does[[]failure](two, `return [await refusal(gallery.add(many(0, 301))), await refusal(gallery.remove(["made 1"])), await refusal(gallery.clear()), await refusal(removeGallery("shared"))]`)
	for i, f := range refused {
		if f.Code != "in-use" || !strings.Contains(f.Message, "another tab is changing the gallery: wait until it has finished") {
			t.Errorf("change %d: %+v", i, f)
		}
	}
	if found := does[string](two, `return (await gallery.search(made(300).source)).found[0].name`); found != "made 300" {
		t.Errorf("what the other tab is adding is not found, but %s", found)
	}
	does[bool](one, `stop.abort(); await adding; return true`)
	size := does[int](one, `return gallery.size`)
	got := does[[]int](two, `
		const { added } = await gallery.add(many(200000, 200010)), removed = await gallery.remove(["made 5"]);
		return [added, removed, gallery.size];`)
	if got[0] != 10 || got[1] != 1 || got[2] != size+9 {
		t.Errorf("of %d pictures the other tab has made %v", size, got)
	}
	if now := does[bool](one, `await gallery.names(); return gallery.size === `+"%d", size+9); !now {
		t.Error("the first tab does not see what the other one has changed")
	}
}

// Removing most images shrinks the file, and loses nothing else.
func TestRoomIsFreed(t *testing.T) {
	s := openTab(t, plain, browsertest.Options{})
	got := does[struct{ Before, After, File, Left, Again int }](s, `
		const gallery = await openGallery(await matcher(), "many");
		await gallery.add(many(0, 2000));
		const before = gallery.bytes;
		await gallery.remove(Array.from({ length: 1500 }, (_, i) => "made " + i));
		const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("deepemd-galleries");
		const file = (await (await folder.getFileHandle("many.index")).getFile()).size, after = gallery.bytes;
		const { found } = await gallery.search(made(1700).source);
		const left = found[0].name === "made 1700" ? gallery.size : -1;
		await gallery.add(many(0, 10));
		gallery.close();
		const again = await openGallery(await matcher(), "many");
		return { before, after, file, left, again: again.size };`)
	if got.Left != 500 || got.Again != 510 || got.After != got.File || got.After > got.Before/3 {
		t.Errorf("%+v: want 500 pictures in a third of the bytes at most, then 510", got)
	}
}

// If the gallery's worker dies, the next call starts another, which has all saved images.
func TestWorkerEnds(t *testing.T) {
	s := openTab(t, plain, browsertest.Options{})
	got := does[[]any](s, `
		const Own = Worker, workers = [];
		globalThis.Worker = class extends Own {
			constructor(address, options) {
				super(address, options);
				if (String(address).endsWith("/gallery-worker.js")) workers.push(this);
			}
		};
		const gallery = await openGallery(await matcher(), "ends");
		await gallery.add(many(0, 40));
		workers[0].onmessage({ data: { type: "down", error: { code: "crashed", message: "the gallery crashed" } } });
		const { found } = await gallery.search(made(7).source);
		const adding = refusal(gallery.add(fillers(10000), { onProgress: ({ done }) => { if (done === 20) workers[1].onmessage({ data: { type: "down", error: { code: "crashed", message: "the gallery crashed" } } }); } }));
		const { code } = await adding, { added } = await gallery.add(many(40, 100));
		return [found[0].name, code, added, workers.length];`)
	if fmt.Sprint(got) != "[made 7 crashed 60 3]" {
		t.Errorf("%v", got)
	}
}

// A full device loses no saved images; the gallery continues in memory.
func TestNoRoom(t *testing.T) {
	s := openTab(t, plain, browsertest.Options{})
	does[int](s, `
		const gallery = await openGallery(await matcher(), "full");
		return (await gallery.add(many(0, 400))).added;`)
	s.Quota(50_000)
	got := does[struct {
		Size int
		Kept bool
		Why  string
		Name string
	}](s, `
		const gallery = await openGallery(await matcher(), "full");
		await gallery.add(many(400, 3000));
		return { size: gallery.size, kept: gallery.kept, why: gallery.why, name: (await gallery.search(made(2900).source)).found[0].name };`)
	if got.Size != 3000 || got.Kept || got.Why != "the device has no more room for the page" || got.Name != "made 2900" {
		t.Errorf("without room: %+v", got)
	}
	s.Quota(-1)
	s.Open(s.Origin + plain)
	if size := does[int](s, `
		const gallery = await openGallery(await matcher(), "full"), { size } = gallery;
		const { found } = await gallery.search(made(399).source);
		return found[0].name === "made 399" && gallery.kept ? size : -size`); size < 400 || size >= 3000 {
		t.Errorf("%d pictures are there of the 400 that were kept, and those that fitted", size)
	}
}

// If the browser has no file system for the page, the gallery is in memory, and reports that.
func TestWithoutFiles(t *testing.T) {
	s := openTab(t, plain, browsertest.Options{})
	got := does[struct {
		Size int
		Kept bool
		Why  string
	}](s, `
		const Own = Worker;
		globalThis.Worker = function (address, options) {
			return String(address).endsWith("/gallery-worker.js") ? new Own("/without-files.js") : new Own(address, options);
		};
		const gallery = await openGallery(await matcher(), "memory");
		await gallery.add(many(0, 30));
		await gallery.remove(["made 7"]);
		return { size: gallery.size, kept: gallery.kept, why: gallery.why };`)
	if got.Size != 29 || got.Kept || !strings.Contains(got.Why, "files cannot be stored here") {
		t.Errorf("%+v", got)
	}
}

// A damaged file, another's file and another version are named in errors. The gallery can be
// removed and restarted.
func TestRefused(t *testing.T) {
	s := openTab(t, plain, browsertest.Options{})
	got := does[map[string]failure](s, `
		const engine = await matcher();
		const gallery = await openGallery(engine, "kept");
		await gallery.add(many(0, 50));
		gallery.close();
		const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("deepemd-galleries"), handle = await folder.getFileHandle("kept.index");
		const kept = new Uint8Array(await (await handle.getFile()).arrayBuffer()), refused = {};
		const write = async (bytes) => {
			const file = await handle.createWritable();
			await file.write(bytes);
			await file.close();
		};
		const flipped = (at) => kept.map((byte, i) => (i === at ? byte ^ 1 : byte));
		for (const [what, bytes] of Object.entries({ foreign: new TextEncoder().encode("not an index"), short: kept.slice(0, -500), flipped: flipped(150), version: flipped(8) })) {
			await write(bytes);
			refused[what] = await refusal(openGallery(engine, "kept"));
		}
		await write(kept);
		refused.network = await refusal(openGallery(await DeepEMD.matcher({ name: "another", nodes: NODES, channels: CHANNELS }), "kept"));
		await write(flipped(kept.length - 70));
		const damaged = await openGallery(engine, "kept");
		refused.picture = await refusal(damaged.search(made(49).source));
		await damaged.remove(["made 49"]);
		refused.removed = await refusal(damaged.search(made(49).source));
		damaged.close();
		await removeGallery("kept");
		const next = await openGallery(engine, "kept");
		refused.next = { code: String(next.size), message: "" };
		return refused;`)
	for what, want := range map[string]failure{
		"foreign": {"bad-gallery", "not an index of pictures: remove the gallery (removeGallery) and add its pictures again"},
		"short":   {"bad-gallery", "cut off or damaged"},
		"flipped": {"bad-gallery", "cut off or damaged"},
		"version": {"newer-gallery", "another version"},
		"network": {"wrong-network", `the engine uses "another"`},
		"picture": {"bad-gallery", "the stored features of picture made 49 are damaged: remove that picture and add it again"},
		"removed": {"", ""},
		"next":    {"0", ""},
	} {
		if f := got[what]; f.Code != want.Code || !strings.Contains(f.Message, want.Message) {
			t.Errorf("%s: %+v, want %+v", what, f, want)
		}
	}
}
