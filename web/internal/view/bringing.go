package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// bring imports folders that were chosen in a field or dropped. Images of a single folder go to the
// class with the given id, unless it is "".
func bring(s *kernel.Kernel, given app.Value, classID string) {
	browser.FoundIn(given, func(entries []kernel.Entry, err error) {
		if err != nil {
			s.Project.BringFailed(err)
			return
		}
		s.Project.Bring(entries, classID)
	})
}

// broughtFolder imports the folders of a drop event, and reports whether it contained any.
func broughtFolder(s *kernel.Kernel, event app.Event, classID string) bool {
	if !browser.BringsFolder(event) {
		return false
	}
	bring(s, event, classID)
	return true
}
