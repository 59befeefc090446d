package browser

import "syscall/js"

// Host is the name of the machine that the page comes from, with its port.
func Host() string { return js.Global().Get("location").Get("host").String() }

// WatchOutgoing calls changed with what has left the page, now and whenever there is more.
func WatchOutgoing(changed func(Outgoing)) {
	go func() {
		outgoing, err := await(js.Global().Get("studio").Call("outgoing"))
		if err != nil {
			return // The dialog says no more than it did.
		}
		look := func(js.Value, []js.Value) any {
			changed(Outgoing{
				Files:     outgoing.Get("files").Int(),
				Elsewhere: stringsOf(outgoing.Get("elsewhere")),
				Stopped:   stringsOf(outgoing.Get("stopped")),
				Messages:  outgoing.Get("messages").Int(),
				Lines:     outgoing.Get("lines").Int(),
				Guarded:   outgoing.Get("guarded").Bool(),
			})
			return nil
		}
		outgoing.Set("onchange", js.FuncOf(look))
		look(js.Undefined(), nil)
	}()
}
