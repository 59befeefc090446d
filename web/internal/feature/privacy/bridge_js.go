package privacy

import (
	"syscall/js"

	"github.com/deepemd/deepemd/web/internal/browser"
)

// host returns the host and port of the page's address.
func host() string { return browser.Location.Get("host").String() }

// watchOutgoing calls changed with the data that has left the page, now and after every change.
func watchOutgoing(changed func(outgoing)) {
	go func() {
		script, err := browser.Await(browser.Studio.Call("outgoing"))
		if err != nil {
			return
		}
		look := func(js.Value, []js.Value) any {
			if seen, err := browser.Read[outgoing](script); err == nil {
				changed(seen)
			}
			return nil
		}
		script.Set("onchange", js.FuncOf(look))
		look(js.Undefined(), nil)
	}()
}
