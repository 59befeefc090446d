//go:build !js

package embed_test

import (
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// The gallery is embedded once. For every chosen image, most of the first results show the same
// thing; likewise for an image outside the gallery, and for the user's own.
func TestSearch(t *testing.T) {
	s := open(t, "/examples/search/", browsertest.Options{})
	s.WaitFor(`document.querySelector("#status").textContent.startsWith("200 pictures embedded")`)
	t.Log(s.Text("#status"))
	got := browsertest.Eval[struct {
		Same, Of int
		Kinds    map[string]int
	}](s.Browser, `(async () => {
		const kind = (button) => button.ariaLabel.split(" ")[0], kinds = {};
		let same = 0, of = 0;
		for (const button of Array.from(document.querySelectorAll("#gallery button")).slice(0, 40)) {
			document.querySelector("#others").replaceChildren();
			button.click();
			while (!document.querySelector("#others li")) await new Promise((resolve) => setTimeout(resolve, 10));
			for (const found of Array.from(document.querySelectorAll("#others button")).slice(0, 5)) {
				of++;
				if (kind(found) !== kind(button)) continue;
				same++;
				kinds[kind(button)] = (kinds[kind(button)] ?? 0) + 1;
			}
		}
		return { same, of, kinds };
	})()`)
	t.Logf("%d of %d found first are of the same kind, by kind of 20: %v", got.Same, got.Of, got.Kinds)
	if got.Of != 200 || got.Same < 170 {
		t.Errorf("%d of %d found first are of the same kind, want 170 of 200", got.Same, got.Of)
	}
	s.Click("#gallery button:nth-child(31)")
	s.WaitFor(`document.querySelectorAll("#gallery .near").length === 10 && document.querySelector("#gallery .chosen").ariaLabel === "boat 4"`)
	portraits(s, "search")

	s.Upload("#own", append(files(t, "apple", 1, 2, 3), files(t, "banana", 1, 2, 3)...)...)
	s.WaitFor(`document.querySelector("#status").textContent.startsWith("6 pictures embedded")`)
	s.Upload("#query", files(t, "banana", 5)...)
	s.WaitFor(`document.querySelectorAll("#others button").length === 6`)
	first := browsertest.Eval[[]string](s.Browser, `Array.from(document.querySelectorAll("#others button"), (b) => b.ariaLabel).slice(0, 3)`)
	for _, name := range first {
		if !strings.HasPrefix(name, "banana") {
			t.Errorf("a banana finds %v", first)
		}
	}
	s.WaitFor(`(() => {
		const { width, height } = document.querySelector("#match");
		const copy = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d", { willReadFrequently: true });
		copy.drawImage(document.querySelector("#match"), 0, 0);
		const { data } = copy.getImageData(0, 0, width, height);
		return data.some((v, i) => i % 4 === 3 && v > 0);
	})()`)
	s.Quiet()
}
