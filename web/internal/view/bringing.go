package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// bring imports folders that were chosen in a field or dropped. Images of a single folder go to the
// class with the given id, unless it is "".
func bring(k *kernel.Kernel, given app.Value, classID string) {
	browser.FoundIn(given, func(entries []kernel.Entry, err error) {
		if err != nil {
			k.Project.BringFailed(err)
			return
		}
		k.Project.Bring(entries, classID)
	})
}

// drop passes the files of a drop event to take. It imports folders; see bring.
func drop(k *kernel.Kernel, e app.Event, classID string, take func([]kernel.File)) {
	e.PreventDefault()
	if browser.BringsFolder(e) {
		bring(k, e, classID)
		return
	}
	take(browser.DroppedFiles(e))
}

// dropTarget lets files be dropped on an element. It calls over when a drag enters or leaves it; see
// drop for the rest.
func dropTarget[E interface {
	On(event string, handler app.EventHandler, scope ...any) E
}](k *kernel.Kernel, element E, classID string, over func(bool), take func([]kernel.File)) E {
	return element.On("dragover", func(_ app.Context, e app.Event) {
		e.PreventDefault() // allows the drop
		over(true)
	}, classID).On("dragleave", func(app.Context, app.Event) {
		over(false)
	}, classID).On("drop", func(_ app.Context, e app.Event) {
		over(false)
		drop(k, e, classID, take)
	}, classID)
}
