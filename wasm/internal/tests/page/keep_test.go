//go:build !js

package page_test

import (
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/internal/browsertest"
)

// Examples that are kept with their embeddings and given to another engine make it
// answer as the first did, also after its worker has died.
func TestPageRestoresExamples(t *testing.T) {
	_, b := newSite(t)
	got := browsertest.Eval[struct {
		First, Second, Third []answer.Score
		Values               int
		Same                 bool
		Refused              failure
	}](b, `(async () => {
		const first = await taught();
		const second = await DeepEMD.create({ weights: small });
		let same = true;
		for (const { id, label, examples } of first.classes) {
			await second.addClass(label, { id });
			for (const { id: example, size, pixels, embedding } of examples) {
				const again = await second.addExample(id, { width: size, height: size, data: pixels }, { id: example, embedding });
				same &&= String(again.pixels) === String(pixels) && String(again.embedding) === String(embedding);
			}
		}
		const query = plain(90, 80, 140);
		const answers = [await first.classify(query), await second.classify(query)];
		const restarted = next(second, "restart");
		await second[crash]("panic").catch(() => {});
		await restarted;
		answers.push(await second.classify(query));
		const { pixels, size, embedding } = first.classes[0].examples[0];
		const refused = await failure(second.addExample("red", { width: size, height: size, data: pixels }, { embedding: embedding.slice(1) }));
		return { first: answers[0].scores, second: answers[1].scores, third: answers[2].scores, values: embedding.length, same, refused };
	})()`)
	if len(got.First) != 3 || !slices.Equal(got.First, got.Second) || !slices.Equal(got.First, got.Third) {
		t.Errorf("scores %v, with restored examples %v, after a crash %v", got.First, got.Second, got.Third)
	}
	if got.Values != 4*32 || !got.Same {
		t.Errorf("%d values, want 4 nodes of 32 channels; the same again: %v", got.Values, got.Same)
	}
	got.Refused.Check(t, "bad-argument", "4×32", "leave it out")
	b.NoProblems()
}
