package web

import (
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// A canvas shows the latest of its files, though an earlier one takes longer to decode.
func TestDrawTheLatestFile(t *testing.T) {
	page := nodetest.Start(t, `
		globalThis.IntersectionObserver = class {};
		const { drawFile } = await import(ROOT + "web/static/web/drawing.js");
		globalThis.createImageBitmap = async (file) => {
			const [name, ms] = (await file.text()).split(" ");
			await new Promise((resolve) => setTimeout(resolve, Number(ms)));
			if (name === "broken") throw new Error(name);
			return { name, width: 5, height: 2, close() {} };
		};
		async function answer(texts) {
			const did = [];
			const canvas = { getContext: () => ({ drawImage: ({ name }, x, y) => did.push(name, canvas.width, x, y) }) };
			await Promise.all(texts.map((text, i) => drawFile(canvas, i % 2 ? { blob: async () => new Blob([text]) } : new Blob([text]))));
			return did.join(" ");
		}`)
	for _, c := range []struct {
		files []string
		want  string
	}{
		{[]string{"one 0"}, "one 2 -1 0"},
		{[]string{"one 50", "two 0"}, "two 2 -1 0"},
		{[]string{"one 0", "two 50", "broken 10"}, ""},
	} {
		var got string
		if err := page.Ask(t, c.files, &got); err != nil || got != c.want {
			t.Errorf("%q: drawn %q, error %+v; want %q", c.files, got, err, c.want)
		}
	}
}
