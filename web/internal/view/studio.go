// Package view draws the studio: functions of the kernel's state, and go-app components where elements
// have a state of their own, such as open folds. The same code renders the page in the browser and, at
// build time, the shell that is shown while the program loads.
package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Studio is the whole page.
type Studio struct {
	app.Compo
	watching
	Kernel *kernel.Kernel
	Page   *ui.Page
	over   bool // files are dragged over the stage

	focused string   // the class whose card gets the focus, so that it is drawn in full
	places  []string // the class of each card: see places

	// The parts that follow the kernel.
	steps, engine, messages, stage, invitation, caption, ring, classes, jumps, setup, facts func() app.UI
}

// watching is embedded in components that follow the kernel.
type watching = ui.Watching

// New returns the page of a kernel. Places show the views of features in their order.
func New(k *kernel.Kernel, features ...func(*kernel.Kernel, *ui.Page)) *Studio {
	page := &ui.Page{}
	for _, add := range features {
		add(k, page)
	}
	s := &Studio{Kernel: k, Page: page}
	s.steps = ui.Follow(k, s.drawSteps, k.Classes)
	s.engine = ui.Follow(k, s.drawEngine, k.Engine, k.Setup)
	s.messages = ui.Follow(k, s.drawMessages, k.Notices)
	s.stage = ui.Follow(k, s.drawStage, k.Camera, k.Framing, k.Live.Shown)
	s.invitation = ui.Follow(k, s.drawInvitation, k.Camera, k.Classes, k.Project)
	s.caption = ui.Follow(k, s.drawCaption, k.Live, k.Classes)
	s.ring = ui.Follow(k, s.drawRing, k.Live, k.Classes)
	s.classes = ui.Follow(k, s.drawClasses, k.Classes, k.Capture, k.Camera)
	s.jumps = ui.Follow(k, s.drawJumps, k.Classes)
	s.setup = ui.Follow(k, s.drawSetup, k.Setup, k.Project, k.Classes, k.Engine)
	s.facts = ui.Follow(k, s.drawFacts, k.Engine, k.Live)
	page.Dialog(SettingsID, ui.Follow(k, s.drawSettings))
	return s
}

// OnMount starts to follow the language.
func (s *Studio) OnMount(ctx app.Context) { s.Watch(ctx, s.Kernel) }

// Render arranges the page; see web/site/styles/page.css. The shell is inert, so that no click or
// input is lost before the program runs.
func (s *Studio) Render() app.UI {
	page, t := app.Div().Class("studio").On("drop", s.drop), s.Kernel.Texts()
	parts := []app.UI{
		// For keyboard users: it is visible while focused.
		ui.Button("skip", "", "", t.Page.SkipLink).OnClick(ui.Do(func() { browser.Focus(ui.WorkID) })),
		app.Header().Class("top").Body(
			app.Div().Class("brand").Body(
				ui.Logo(),
				app.Div().Body(app.H1().Text("DeepEMD"), app.P().Text(t.Page.Slogan)),
			),
			s.steps(),
			app.Div().Class("tools").Body(
				s.kindSwitch(),
				s.engine(),
				ui.Sign("quiet", "open-settings", ui.IconSettings, t.Settings.Title).Aria("haspopup", "dialog").OnClick(ui.Opens(SettingsID)),
			),
		),
		s.messages(),
		s.jumps(),
		app.Main().Body(
			app.Div().Class("desk").Body(
				// It stays visible.
				app.Section().Class("look").Aria("label", t.Camera.Section).Body(
					app.H2().Class("said").Text(t.Camera.Section), s.stage(), &Answer{Kernel: s.Kernel}, &Spoken{Kernel: s.Kernel},
				),
				app.Div().Class("work").Body(append(s.Page.At(ui.Above), s.classes())...),
			),
			app.Div().Class("panels").Body(s.Page.At(ui.Below)...),
		),
		app.Footer().Body(app.P().Body(append(append([]app.UI{
			ui.Icon(ui.IconLock), app.Span().Text(t.Page.Private),
		}, s.Page.At(ui.Foot)...),
			app.A().Href("docs/").Text(t.Page.Documentation), app.A().Href("examples/").Text(t.Page.Examples),
			app.A().Href("NOTICE.txt").Text(t.Page.Licenses),
		)...)),
	}
	if app.IsServer {
		page.Attr("inert", true) // without dialogs
	} else {
		parts = append(parts, &ui.Dialogs{Page: s.Page})
	}
	return page.Body(parts...)
}

// drawSteps shows the buttons that undo and redo, after the views of features.
func (s *Studio) drawSteps() app.UI {
	t, h := &s.Kernel.Texts().Project, s.Kernel.Classes.History()
	names := map[kernel.Step]string{
		kernel.StepAddClass:       t.AddClass,
		kernel.StepRenameClass:    t.RenameClass,
		kernel.StepRemoveClass:    t.RemoveClass,
		kernel.StepAddExamples:    t.AddExamples,
		kernel.StepRemoveExample:  t.RemoveOne,
		kernel.StepRemoveExamples: t.RemoveSome,
		kernel.StepClearClass:     t.ClearClass,
		kernel.StepEnableClass:    t.EnableClass,
		kernel.StepRule:           t.Rule,
		kernel.StepMoveExamples:   t.MoveSome,
	}
	button := func(id, icon, label string, with func(string) string, step kernel.Step, act func()) app.UI {
		if step != kernel.NoStep {
			label = with(names[step])
		}
		return ui.Idle(ui.Sign("quiet", id, icon, label), step == kernel.NoStep, act)
	}
	return app.Div().Class("project").Body(append(s.Page.At(ui.Header),
		button("undo", ui.IconUndo, t.Undo, t.UndoStep, h.Undo, s.Kernel.Classes.Undo),
		button("redo", ui.IconRedo, t.Redo, t.RedoStep, h.Redo, s.Kernel.Classes.Redo),
	)...)
}

// kindSwitch changes between images and sounds; the page's kind is pressed.
func (s *Studio) kindSwitch() app.UI {
	t := &s.Kernel.Texts().Sound
	button := func(id, kind, icon, text string) app.UI {
		chosen := s.Kernel.Project.Kind() == kind
		return ui.Sign(ui.When(chosen, "chosen"), id, icon, text).Aria("pressed", chosen).
			OnClick(ui.Do(func() { browser.GoTo(ui.When(kind == project.KindSound, "sounds")) }, kind)).
			Body(ui.Icon(icon), app.Span().Text(text))
	}
	return app.Div().Class("kind").Role("group").Aria("label", t.Kind).Body(
		button("see", project.KindImage, ui.IconCamera, t.Pictures),
		button("hear", project.KindSound, ui.IconMicrophone, t.Sounds),
	)
}

// drop imports folders, archives and projects that were dropped outside other targets, and shows
// pictures. For a link or a picture of another page, which has no file, it posts a notice, on every target.
func (s *Studio) drop(_ app.Context, e app.Event) {
	if browser.BringsLink(e) {
		s.Kernel.Notices.Post(kernel.Warn(kernel.NoticeFiles, nil, func(t *texts.Texts) (title, text string) {
			return t.Notice.NoFile, t.Notice.NoFileRemedy
		}))
	}
	if !e.Get("defaultPrevented").Bool() {
		e.PreventDefault()
		drop(s.Kernel, e, s.Kernel.Open, s.Kernel.Project.Bringing(""))
	}
}

// find passes the files of folders that were chosen in a field or dropped to take.
func find(k *kernel.Kernel, given app.Value, take func([]kernel.File)) {
	browser.FoundIn(given, func(files []kernel.File, err error) {
		if err != nil {
			k.Project.BringFailed(err)
			return
		}
		take(files)
	})
}

// drop passes the files of a drop event to take, or if it has folders to takeFolders.
func drop(k *kernel.Kernel, e app.Event, take, takeFolders func([]kernel.File)) {
	if browser.BringsFolder(e) {
		find(k, e, takeFolders)
		return
	}
	take(browser.DroppedFiles(e))
}
