package ui

import "github.com/maxence-charriere/go-app/v9/pkg/app"

// DropTarget lets files be dropped on an element. It calls over when a drag enters or leaves the
// element, and drop for a drop event. Functions with captured values that change need them in the
// scope; see [Do].
func DropTarget[E interface {
	On(event string, handler app.EventHandler, scope ...any) E
}](element E, over func(bool), drop func(app.Event), scope ...any) E {
	return element.On("dragover", func(_ app.Context, e app.Event) {
		e.PreventDefault() // allows the drop
		over(true)
	}, scope...).On("dragleave", func(app.Context, app.Event) {
		over(false)
	}, scope...).On("drop", func(_ app.Context, e app.Event) {
		e.PreventDefault()
		over(false)
		drop(e)
	}, scope...)
}
