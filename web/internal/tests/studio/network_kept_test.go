//go:build !js

package studio_test

import (
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/networktest"
)

// If the browser keeps nothing, as in private windows, the network is used until the page closes,
// with a notice.
func TestNetworkWithoutStorage(t *testing.T) {
	s := open(t, browsertest.Options{}, `Object.defineProperty(globalThis, "indexedDB", { value: undefined })`)
	s.Ready()
	s.experts()
	s.offer(written(t, "mine.safetensors", networkFile(t, networktest.MobileNet(), "mine")))
	s.Click("#use-network")
	s.WaitFor(`document.querySelector("#network-now").innerText.endsWith("until you close the page")`)
	s.WaitFor(`[...document.querySelectorAll(".message")].some((m) => m.innerText.includes("mine is not saved on this device"))`)
	if name := s.facts(); name != "mine" {
		t.Errorf("%s answers", name)
	}
	s.Click("#page-weights")
	s.WaitFor(`document.querySelector("#network-now").innerText.startsWith("` + network.ResNet12Photo + `")`)
	s.leave()
	s.Visit()
	s.Ready()
	if name := s.facts(); name != network.ResNet12Photo {
		t.Errorf("on the next visit %s answers", name)
	}
	s.Quiet()
}

// full makes the browser reject more of networks, like a full one, until room is called or the page
// is reloaded. Chromium's own quota is checked too rarely for that.
const (
	full = `globalThis.put = IDBObjectStore.prototype.put;
		IDBObjectStore.prototype.put = function (...given) {
			if (this.name === "slices") throw new DOMException("the quota is used up", "QuotaExceededError");
			return globalThis.put.apply(this, given);
		}`
	room = `IDBObjectStore.prototype.put = globalThis.put`
)

// On a full device the network is used until the page closes, with a notice; the previously
// kept one returns on the next visit. Another tab continues with its own.
func TestNetworkWithoutRoom(t *testing.T) {
	first, second := networkFile(t, networktest.Residual(true), "first"), networkFile(t, networktest.Transformer(), "second")
	s := open(t, browsertest.Options{})
	s.Ready()
	s.experts()
	s.offer(written(t, "first.safetensors", first))
	s.use()
	s.leave()
	other := &studio{s.NewTab()}
	other.Visit()
	other.Ready()

	s.experts()
	s.Eval(full)
	s.offer(written(t, "second.safetensors", second))
	s.Click("#use-network")
	s.WaitFor(`document.querySelector(".message.warning")?.innerText.includes("second is not saved on this device")`)
	s.Shot("own-network-full")
	if got := s.Text(".message.warning"); !strings.Contains(got, "no space left") || !strings.Contains(got, "until you close the page") {
		t.Errorf("the page says %q", got)
	}
	if now := s.Text("#network-now"); !strings.HasPrefix(now, "second, your own") || !strings.HasSuffix(now, "until you close the page") {
		t.Errorf("the network is %q", now)
	}
	s.Eval(room)
	cut := browsertest.Eval[string](s.Browser, `(async () => {
		const [bytes, stop] = [9e6, () => { throw new Error("cut off"); }];
		const own = { name: "third", arch: "vit", bytes, file: new Blob([new Uint8Array(bytes)]) };
		return studio.network.keep("image", own, stop).then(() => "", (error) => error.message);
	})()`)
	if !strings.Contains(cut, "cut off") {
		t.Errorf("a write that was cut off ends with %q", cut)
	}
	if mine, others := s.facts(), other.facts(); mine != "second" || others != "first" {
		t.Errorf("%s answers here and %s in the other tab", mine, others)
	}
	s.Visit()
	s.Ready()
	if name := s.facts(); name != "first" {
		t.Errorf("on the next visit %s answers, want the one that was kept", name)
	}
	// If the kept network is damaged, the page's network answers, with a notice.
	browsertest.Eval[bool](s.Browser, `new Promise((resolve) => {
		const request = indexedDB.open("deepemd-networks");
		request.onsuccess = () => {
			const transaction = request.result.transaction("slices", "readwrite");
			transaction.objectStore("slices").clear();
			transaction.oncomplete = () => { request.result.close(); resolve(true); };
		};
	})`)
	s.Visit()
	s.Ready()
	s.WaitFor(`document.querySelector(".message.warning")?.innerText.includes("Your network could not be started")`)
	if name := s.facts(); name != network.ResNet12Photo {
		t.Errorf("%s answers, want the page's network", name)
	}
	s.experts()
	s.Click("#page-weights")
	s.WaitFor(`!document.querySelector("#page-weights") && !document.querySelector(".message")`)
	s.leave()
	s.Visit()
	s.Ready()
	s.WaitCount(".message", 0)
	s.Quiet()
}
