package web

import (
	"testing"

	"github.com/deepemd/deepemd/internal/nodetest"
)

// A drawing that was cut out before keeps its address: the browser would hold each further one as long as the page is open.
func TestDrawingsAreCutOutOnce(t *testing.T) {
	page := nodetest.Start(t, `
		const { cut } = await import(ROOT + "web/static/web/characters.js");
		let made = 0, fails = true;
		URL.createObjectURL = () => "blob:" + ++made;
		Object.assign(globalThis, {
			fetch: async () => ({ ok: true, blob() {} }),
			createImageBitmap: async () => ({}),
			document: { createElement: () => ({ getContext() {}, toBlob: (done) => done(fails ? null : new Blob()) }) },
		});
		async function answer() {
			const failed = await cut(0, 1, 1, 9).then(() => false, () => true);
			fails = false;
			const addresses = [...(await cut(0, 2, 3, 9)), ...(await cut(1, 2, 3, 9))].map(({ url }) => url);
			return { failed, made, addresses: new Set(addresses).size };
		}`)
	var got struct {
		Failed          bool `json:"failed"`
		Made, Addresses int
	}
	if err := page.Ask(t, nil, &got); err != nil || !got.Failed || got.Made != 9 || got.Addresses != 9 {
		t.Errorf("%+v, error %+v; want 9 addresses for 3 rows of 3, after a failure", got, err)
	}
}
