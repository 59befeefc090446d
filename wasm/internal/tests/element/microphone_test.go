//go:build !js

package element_test

import (
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// If the browser does not start listening, like Firefox without a sound output, the element shows the
// remedy.
func TestElementWhereNobodyListens(t *testing.T) {
	_, b := newElement(t, `<deep-emd sound classes="beep"></deep-emd>`)
	browsertest.Eval[any](b, `(() => {
		AudioContext.prototype.resume = () => new Promise(() => {});
		element.start().catch((error) => (window.refused = error));
	})()`)
	b.WaitFor(`window.refused`)
	if got := browsertest.Eval[string](b, `refused.code + " " + refused.word + " " + refused.message.includes("headphones")`); got != "unsupported microphoneLate true" {
		t.Errorf("it fails with %s", got)
	}
	b.WaitFor(`shadow.textContent.includes("connect speakers or headphones")`)
	browsertest.Eval[any](b, `element.stop()`)
}
