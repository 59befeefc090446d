package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// bring takes over the folders that were chosen in a field, or dropped. Pictures of one
// folder go to the class with the given id, if one is given.
func bring(s *kernel.Kernel, given app.Value, classID string) {
	browser.FoundIn(given, func(entries []kernel.Entry, err error) {
		if err != nil {
			s.Project.BringFailed(err)
			return
		}
		s.Project.Bring(entries, classID)
	})
}

// broughtFolder does so if a drop event brings a folder, and reports whether it does.
func broughtFolder(s *kernel.Kernel, event app.Event, classID string) bool {
	if !browser.BringsFolder(event) {
		return false
	}
	bring(s, event, classID)
	return true
}
