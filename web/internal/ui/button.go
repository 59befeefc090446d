package ui

import (
	"fmt"
	"reflect"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Do returns the arguments of an OnClick that calls act. go-app keeps an element's handler if its code
// and scope are the same: the scope has the code of act. Functions with captured values that change
// need them in the scope too.
func Do(act func(), scope ...any) (handler app.EventHandler, identity any) {
	return func(app.Context, app.Event) { act() }, fmt.Sprint(code(act), scope)
}

// Take returns the arguments of an OnChange that passes the value of the element to take; see Do.
func Take(take func(value string)) (handler app.EventHandler, identity any) {
	return func(ctx app.Context, _ app.Event) { take(ctx.JSSrc().Get("value").String()) }, code(take)
}

// TakeFiles returns the arguments of an OnChange that passes chosen files to take; see Do.
func TakeFiles(take func([]kernel.File), scope ...any) (handler app.EventHandler, identity any) {
	return func(ctx app.Context, _ app.Event) {
		if files := browser.ChosenFiles(ctx.JSSrc()); len(files) > 0 {
			take(files)
		}
	}, fmt.Sprint(code(take), scope)
}

// code identifies the code of a function.
func code(f any) uintptr { return reflect.ValueOf(f).Pointer() }

// Button returns a button with an icon and a text. The id and the icon are optional.
func Button(class, id, icon, text string) app.HTMLButton {
	if icon == "" {
		return button(class, id).Text(text)
	}
	return button(class, id).Body(Icon(icon), app.Text(text))
}

// Sign returns a button with an icon. The label is its name and its tooltip. The id is optional.
func Sign(class, id, icon, label string) app.HTMLButton {
	return button(class, id).Aria("label", label).Title(label).Body(Icon(icon))
}

// Idle lets a button call act, or do nothing while idle. Unlike a disabled button, it keeps the focus.
func Idle(button app.HTMLButton, idle bool, act func(), scope ...any) app.HTMLButton {
	if idle {
		act = func() {}
	}
	return button.Aria("disabled", idle).OnClick(Do(act, scope...))
}

// File returns a button with an icon and a text that chooses the files of an input.
func File(class, icon, text string, input app.HTMLInput) app.HTMLLabel {
	return app.Label().Class("file", class).Body(Icon(icon), app.Span().Text(text), input.Type("file"))
}

func button(class, id string) app.HTMLButton {
	button := app.Button().Type("button").Class(class)
	if id != "" {
		button.ID(id)
	}
	return button
}
