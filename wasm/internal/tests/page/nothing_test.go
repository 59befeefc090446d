//go:build !js

package page_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
)

// A class of nothing only says no in a page, too: through a project file, another
// worker and a draft.
func TestPageIsTaughtNothing(t *testing.T) {
	_, b := newSite(t)
	type verdict struct {
		Scores  []answer.Score
		Unknown struct {
			Unknown bool
			Nothing string
		}
	}
	got := browsertest.Eval[struct {
		Before, Nothing, Thing, Opened, Restarted verdict
		Flags                                     []bool
		Learned, Quiet                            bool
		File                                      string
	}](b, `(async () => {`+projectScript+`
		const engine = await taught();
		for (const { id, label } of engine.classes) await engine.addExample(id, label === "red" ? plain(200, 30, 40) : label === "green" ? plain(30, 190, 60) : plain(30, 30, 200));
		const scene = (i) => plain(240 - i, 230, 60 + i);
		const before = await engine.classify(scene(3), { unknown: true });
		const off = await engine.addClass("off"), { id } = await engine.addExample(off, plain(90, 90, 90));
		await engine.enableClass(off, false);
		await engine.train({ passes: 2, check: false });
		await engine.addExample(off, plain(200, 90, 90));
		await engine.removeExample(id);
		await engine.removeClass(off);
		const empty = await engine.addClass("empty", { id: "empty", nothing: true });
		const quiet = (await engine.addExample(empty, scene(0), { answer: true })).answer === undefined;
		for (let i = 1; i < 6; i++) await engine.addExample(empty, scene(2 * i));
		const learned = engine.learned;
		const nothing = await engine.classify(scene(3)), thing = await engine.classify(plain(205, 30, 35));
		const file = await saveProject(engine, { name: "Scene" });
		const other = await DeepEMD.create({ weights: small });
		await openProject(other, file);
		const opened = await other.classify(scene(3));
		const flags = other.classes.map((c) => c.nothing);
		await other[Symbol.for("deepemd.crash")]("panic").catch(() => {});
		const restarted = await other.classify(scene(3));
		return { before, nothing, thing, opened, restarted, flags, learned, quiet, file: await base64(file) };
	})()`)
	if n := got.Nothing; !n.Unknown.Unknown || n.Unknown.Nothing != "empty" || len(n.Scores) != 3 {
		t.Errorf("the empty scene: %+v", n)
	}
	if got.Thing.Unknown.Nothing != "" || len(got.Thing.Scores) != 3 || got.Thing.Scores[0].Label != "red" {
		t.Errorf("a thing: %+v", got.Thing)
	}
	if got.Before.Unknown.Nothing != "" {
		t.Errorf("before nothing was taught: %+v", got.Before)
	}
	for _, v := range []verdict{got.Opened, got.Restarted} {
		if v.Unknown != got.Nothing.Unknown {
			t.Errorf("%+v, want %+v", v.Unknown, got.Nothing.Unknown)
		}
	}
	if !slices.Equal(got.Flags, []bool{false, false, false, true}) {
		t.Errorf("classes of nothing: %v", got.Flags)
	}
	if !got.Learned || !got.Quiet {
		t.Errorf("what was learned stays: %v; an example of nothing has no answer: %v", got.Learned, got.Quiet)
	}
	file := unbase64(t, got.File)
	p := require.Value(archive.Read(bytes.NewReader(file), int64(len(file))))(t)
	if m := p.Manifest; !m.Classes[3].Nothing || !slices.Equal(m.Requires, []string{project.RequiresNothing}) {
		t.Errorf("saved %+v, requires %v", m.Classes[3], m.Requires)
	}
}
