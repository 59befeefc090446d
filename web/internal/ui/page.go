// Package ui is shared by all components of the page: the places and dialogs that features
// fill, a base for components that follow the kernel, icons, choices, bars and tables.
package ui

import (
	"maps"
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Place is a part of the page that features fill.
type Place int

// The places, from the top of the page.
const (
	Header       Place = iota // before the buttons that undo
	Picture                   // on the stage, directly over the image
	Over                      // on the stage, over everything
	Front                     // on the stage, before the caption
	Tools                     // small buttons under the stage, for the camera
	MoreTools                 // small buttons under the stage, for any image
	Controls                  // below the small buttons
	Above                     // above the classes
	Offers                    // offers for new users
	Below                     // below the classes
	Improvements              // in the panel Improve
	Ways                      // in the dialog of projects, next to the ways to share
	Files                     // in the dialog of projects, next to Open and New
	Groups                    // groups of settings
	Expert                    // settings for experts
	Foot                      // in the line at the foot
)

// ProjectsID is the id of the dialog of projects, in which [Files] is.
const ProjectsID = "projects"

// Page holds the views and dialogs of all features.
type Page struct {
	views    map[Place][]func() app.UI
	dialogs  map[string]func() app.UI
	decorate []func(app.HTMLDiv) app.HTMLDiv
}

// ViewID is the id of the stage's element that shows the camera's picture.
const ViewID = "view"

// Show adds a view to a place, after the views added before. The page skips a nil view.
func (p *Page) Show(at Place, view func() app.UI) {
	if p.views == nil {
		p.views = map[Place][]func() app.UI{}
	}
	p.views[at] = append(p.views[at], view)
}

// At returns the views of a place.
func (p *Page) At(at Place) []app.UI {
	var views []app.UI
	for _, view := range p.views[at] {
		if v := view(); v != nil {
			views = append(views, v)
		}
	}
	return views
}

// Decorate registers a function that the stage calls on its element [ViewID] to add attributes
// and event handlers.
func (p *Page) Decorate(view func(app.HTMLDiv) app.HTMLDiv) { p.decorate = append(p.decorate, view) }

// Decorated returns the stage's element with the attributes and handlers of all features.
func (p *Page) Decorated(view app.HTMLDiv) app.HTMLDiv {
	for _, decorate := range p.decorate {
		view = decorate(view)
	}
	return view
}

// Dialog registers the dialog that [OpenDialog] opens by its id.
func (p *Page) Dialog(id string, dialog func() app.UI) {
	if p.dialogs == nil {
		p.dialogs = map[string]func() app.UI{}
	}
	p.dialogs[id] = dialog
}

// Dialogs returns the ids of all dialogs, sorted.
func (p *Page) Dialogs() []string { return slices.Sorted(maps.Keys(p.dialogs)) }

// Open returns the dialog of an id.
func (p *Page) Open(id string) app.UI { return p.dialogs[id]() }
