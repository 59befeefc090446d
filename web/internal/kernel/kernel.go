// Package kernel is the state that all features of the studio build on, and what a person can
// do with it. It holds no picture, no HTML and no arithmetic: pictures stay with the Engine
// (deepemd.js) and the Cameras, which it reaches through interfaces, so that all of it
// runs and is tested outside a browser too.
//
// # Parts
//
// A Kernel is made of parts. Each owns its state, in a type of its own:
//
//   - Classes: the classes, their examples, and the history that undo goes through;
//   - Capture: how examples come in, from the camera and from files;
//   - Engine: how far the engine is, and the queue of what it is told;
//   - Camera: which camera is on; Framing: what the network sees of it; Live: what is
//     shown, and what it is taken for;
//   - Setup: how examples and pictures are recognised, and by which network;
//   - Project: the project that is open, and the store that keeps projects;
//   - Notices, Language: what the person is told, and in which language.
//
// What concerns several parts, such as a crash of the engine, is a method of Kernel.
//
// # Concurrency
//
// All state, that of features too, is under one lock. Methods take it by themselves. While it is
// held, only methods are called whose comments say so. Calls of the engine, a camera or the
// store are made without it, on goroutines: none that a click leads to waits for them.
//
// [Revisions] say what has changed. A feature that depends on one follows the kernel: it is
// called after a revision has grown, and asks which ([Kernel.Follow], [Part.News]).
package kernel

import (
	"sync"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// Kernel is the state of a page. Make one with New.
type Kernel struct {
	mu        sync.Mutex
	revisions Revisions
	followers []func() // in the order in which they are called
	preparers []func() // of the engine, likewise

	Language *Language
	Notices  *Notices
	Engine   *EngineQueue
	Classes  *Classes
	Capture  *Capture
	Camera   *Camera
	Framing  *Framing
	Live     *Live
	Setup    *Setup
	Project  *Project
}

// New returns a kernel for projects of the given kind (project.KindImage or
// project.KindSound) that speaks a language. It has two classes to fill, as most people
// need two.
func New(kind string, language *texts.Texts) *Kernel {
	s := &Kernel{}
	s.Language = newLanguage(s, kind, language)
	s.Notices = &Notices{Part: Part{K: s}}
	s.Engine = newEngineQueue(s)
	s.Classes = newClasses(s)
	s.Setup = newSetup(s)
	s.Live = newLive(s)
	s.Camera = &Camera{Part: Part{K: s}}
	s.Framing = &Framing{Part: Part{K: s}}
	s.Capture = &Capture{Part: Part{K: s}}
	s.Project = newProject(s, kind)
	return s
}

// Texts are what the page says now.
func (k *Kernel) Texts() *texts.Texts { return k.Language.Texts() }

// SetLanguage has the page speak another language. Classes that nobody has named get
// their names in it.
func (k *Kernel) SetLanguage(language *texts.Texts) {
	k.Language.use(language)
	k.Classes.translate()
}

// BeforeEngine registers f, which EngineReady calls before the engine is told anything.
func (k *Kernel) BeforeEngine(f func()) { k.preparers = append(k.preparers, f) }

// EngineReady hands the kernel its engine, which is told the classes that were made,
// or brought back, while it was loading. It is called once.
func (k *Kernel) EngineReady(engine Engine) {
	for _, prepare := range k.preparers {
		prepare()
	}
	k.Classes.register(k.Setup.follow)
	k.Engine.connect(engine)
	k.Notices.Dismiss(NoticeEngine)
	k.Grow(func(r *Revisions) { r.Method++ })
}

// EngineFailed reports that the engine could not be loaded.
func (k *Kernel) EngineFailed(err error) {
	k.Engine.failed()
	k.Notices.Post(k.engineFailed(err))
}

// EngineCrashed reports that the engine died. Unless restarting is false it is being
// started again by deepemd.js, which keeps every example.
func (k *Kernel) EngineCrashed(err error, restarting bool) {
	k.Engine.crashed(restarting)
	k.Live.Clear()
	k.Notices.Post(k.engineCrashed(err, restarting, k.Classes.Examples()))
}

// EngineRestarted reports that the engine runs again and knows every example.
func (k *Kernel) EngineRestarted() {
	k.Engine.restarted()
	k.Notices.Post(engineRestarted(k.Classes.Examples()))
	k.Live.Reclassify()
	k.Grow(func(r *Revisions) { r.Method++ })
}

// AddFiles makes each of the files an example of the class. A project file among them
// is opened instead.
func (k *Kernel) AddFiles(classID string, files []File) {
	k.Capture.AddFiles(classID, k.withoutProjects(files, classID))
}

// Open opens the first project file, or archive, among files.
func (k *Kernel) Open(files []File) { k.withoutProjects(files, "") }

// ShowPicture classifies a picture instead of what the camera shows, now and whenever
// the examples change. A project file is opened instead.
//
// A file that is no picture is said to be none, and what was on the stage stays there.
func (k *Kernel) ShowPicture(file File) {
	if len(k.withoutProjects([]File{file}, "")) == 0 {
		return
	}
	k.Live.look(file, func() {
		k.Camera.Stop()
		k.Camera.forgetProblem()
		k.Live.show(file)
	})
}

// withoutProjects opens the first project file among files, and returns those that are
// none. The class with the given id takes pictures of an archive that are of one class.
func (k *Kernel) withoutProjects(files []File, classID string) []File {
	var others []File
	opened := false
	for _, f := range files {
		switch {
		case !f.isProject():
			others = append(others, f)
		case !opened:
			k.Project.BringFile(f, classID)
			opened = true
		}
	}
	return others
}
