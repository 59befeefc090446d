package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/session"
)

// bring takes over the folders that were chosen in a field, or dropped. Pictures of one
// folder go to the class with the given id, if one is given.
func bring(s *session.Session, given app.Value, classID string) {
	browser.FoundIn(given, func(entries []session.Entry, err error) {
		if err != nil {
			s.Project.BringFailed(err)
			return
		}
		s.Project.Bring(entries, classID)
	})
}

// broughtFolder does so if a drop event brings a folder, and reports whether it does.
func broughtFolder(s *session.Session, event app.Event, classID string) bool {
	if !browser.BringsFolder(event) {
		return false
	}
	bring(s, event, classID)
	return true
}
