// Package kernel holds the state that all features of the studio build on, and the actions that
// change it. It contains no pictures, HTML or numerics: images stay in the Engine (deepemd.js) and
// the Cameras, which are interfaces, so that the package runs and is tested outside a browser.
//
// # Parts
//
// Each part of a Kernel owns its state:
//
//   - Classes: classes, examples and the history of steps
//   - Capture: new examples from the camera and from files
//   - Engine: its stage, and the queue of its operations
//   - Camera: the camera in use; Framing: the part of its picture that the network sees
//   - Live: the picture on the stage, and its answer
//   - Setup: the method, and the network in use
//   - Project: the open project, and the store of all projects
//   - Notices, Language: messages to the user, and their language
//
// Events that affect several parts, such as a crash of the engine, are methods of Kernel.
//
// # Concurrency
//
// One lock guards all state, including the state of features. Methods take it themselves, unless
// their comments require that it is held. Calls of the engine, a camera or the store happen
// without the lock, on goroutines, so that no click waits for them.
//
// [Revisions] count changes. A feature that depends on one follows the kernel: it is called after a
// revision has grown, and asks which one ([Kernel.Follow], [Part.News]).
package kernel

import (
	"sync"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// Kernel is the state of a page. Use New to make one.
type Kernel struct {
	mu        sync.Mutex
	revisions Revisions
	followers []func() // in the order of their calls
	preparers []func() // called before the engine is connected, in this order

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

// New returns a kernel for projects of the given kind (project.KindImage or project.KindSound) in a
// language. It has two empty classes, as most projects need two.
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

// Texts returns the page's texts in its language.
func (k *Kernel) Texts() *texts.Texts { return k.Language.Texts() }

// SetLanguage changes the page's language, and translates class names that the user has not
// changed.
func (k *Kernel) SetLanguage(language *texts.Texts) {
	k.Language.use(language)
	k.Classes.translate()
}

// BeforeEngine registers f, which EngineReady calls before it connects the engine.
func (k *Kernel) BeforeEngine(f func()) { k.preparers = append(k.preparers, f) }

// EngineReady connects the engine, which then gets the classes of the page. It is called once.
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
	k.Engine.setStage(Failed)
	k.Notices.Post(k.engineFailed(err))
}

// EngineCrashed reports that the engine crashed. With restarting, deepemd.js restarts it and keeps
// every example.
func (k *Kernel) EngineCrashed(err error, restarting bool) {
	stage := Failed
	if restarting {
		stage = Restarting
	}
	k.Engine.setStage(stage)
	k.Live.Clear()
	k.Notices.Post(k.engineCrashed(err, restarting, k.Classes.Examples()))
}

// EngineRestarted reports that the engine runs again, with every example.
func (k *Kernel) EngineRestarted() {
	k.Engine.setStage(Ready)
	k.Notices.Post(engineRestarted(k.Classes.Examples()))
	k.Live.Reclassify()
	k.Grow(func(r *Revisions) { r.Method++ })
}

// AddFiles adds files as examples of a class. If one is a project file, it is opened instead.
func (k *Kernel) AddFiles(classID string, files []File) {
	k.Capture.AddFiles(classID, k.withoutProjects(files, classID))
}

// Open opens the first project file or archive among files.
func (k *Kernel) Open(files []File) { k.withoutProjects(files, "") }

// ShowPicture shows a picture on the stage instead of the camera, and classifies it now and after
// every change of the examples. A project file is opened instead. If the file is not a picture, the
// stage does not change.
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

// withoutProjects opens the first project file or archive among files, and returns the other files.
// If an archive contains one class, its images go to the class with the given id.
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
