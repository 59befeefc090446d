package actions

import (
	"encoding/json"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// effects implements [Effects] with web/static/web/effects.js, which it loads on first use.
type effects struct{ failed browser.Func }

func (t *Actions) connect() {
	if app.IsServer {
		return
	}
	failed := browser.Callback(func(args []browser.Value) {
		err := &kernel.Error{Code: args[0].String(), Message: args[1].String()}
		go t.Failed(err)
	})
	t.Connect(&effects{failed})
}

// module loads effects.js.
func (e *effects) module() (browser.Value, error) {
	return browser.Await(browser.Studio.Call("effects", e.failed))
}

// with calls a method of effects.js asynchronously, and reports errors.
func (e *effects) with(method string, argument any) {
	go func() {
		if module, ok := e.loaded(); ok {
			module.Call(method, argument)
		}
	}()
}

// loaded loads effects.js, and reports errors.
func (e *effects) loaded() (module browser.Value, ok bool) {
	module, err := e.module()
	if err != nil {
		e.failed.Invoke(kernel.CodeNetwork, err.Error())
	}
	return module, err == nil
}

func (e *effects) Abilities() Abilities {
	return Abilities{
		Framed: !browser.Window.Get("parent").Equal(browser.Window.Get("self")),
		Serial: browser.Navigator.Get("serial").Truthy(),
	}
}

func (e *effects) Perform(d Deed, over func()) {
	deed := browser.ValueOf(map[string]any{
		"classId": d.Class, "of": d.Of, "label": d.Label, "language": d.Language,
		"say": d.Say, "sound": d.Sound, "send": d.Send, "counted": d.Counted, "serial": d.Serial, "line": d.Line,
	})
	go func() {
		defer over()
		if module, ok := e.loaded(); ok {
			_, _ = browser.Await(module.Call("perform", deed)) // reports errors itself
		}
	}()
}

func (e *effects) Greet(classes []kernel.Class) {
	type named struct {
		ID    string `json:"id"`
		Label string `json:"label"`
	}
	list := make([]named, len(classes))
	for i, c := range classes {
		list[i] = named{c.ID, c.Label}
	}
	text, _ := json.Marshal(list) // strings always have a JSON form
	e.with("greet", string(text))
}

func (e *effects) AddMedium(file kernel.File, medium Medium) (string, error) {
	module, err := e.module()
	if err != nil {
		return "", err
	}
	id, err := browser.Await(module.Call("addMedium", file.Source, string(medium)))
	if err != nil {
		return "", err
	}
	return id.String(), nil
}

func (e *effects) Connect(baud int) error {
	module, err := e.module()
	if err == nil {
		_, err = browser.Await(module.Call("connect", baud))
	}
	return err
}

func (e *effects) Disconnect() { e.with("disconnect", nil) }

func (e *effects) SaveTable(text, name string) {
	browser.Studio.Call("saveTable", text, name)
}
