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
	"slices"
	"sync"
	"time"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/foreign"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Kernel is the state of a page. Use New to make one.
type Kernel struct {
	mu        sync.Mutex
	revisions Revisions
	followers []func() // in the order of their calls
	preparers []func() // called before the engine is connected, in this order

	// Frames returns pictures of a video; optional.
	Frames func(video File) ([]File, error)

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
	k := &Kernel{}
	k.Language = &Language{K: k, texts: language.For(kind)}
	k.Notices = &Notices{K: k}
	k.Engine = &EngineQueue{K: k, ready: make(chan struct{}), arrived: map[string]float64{}}
	k.Engine.ended = sync.NewCond(k.Engine)
	k.Classes = &Classes{
		K: k, had: map[string]*had{}, gone: map[string]bool{}, rejected: map[string]bool{}, unseen: background{ids: map[string]bool{}},
	}
	k.Classes.list = classesOf(k.Classes.blank(), k.Texts())
	k.Classes.hue = len(k.Classes.list)
	k.Setup = &Setup{
		K: k, stop: func() {}, follows: method.Default(), weights: Weights{Supplied: Usual}, chosen: Weights{Supplied: Usual},
		state: SetupState{Method: method.Default(), Rates: map[Mode]float64{}},
	}
	k.Live = &Live{K: k, Explainer: noExplainer{}, Shown: &Shown{K: k}}
	k.Live.task = task{part: &k.Live.Part, run: k.Live.classifyPicture}
	k.Camera = &Camera{K: k, stop: func() {}}
	k.Framing = &Framing{K: k}
	k.Capture = &Capture{K: k, release: func() {}}
	k.Project = &Project{
		K: k, storeKnown: make(chan struct{}), kind: kind,
		state: ProjectState{ID: newProjectID()}, created: time.Now().UTC(),
	}
	return k
}

// Language holds the page's texts, for images or sounds.
type Language struct {
	Part
	texts *texts.Texts
}

// Texts returns the page's texts in its language.
func (k *Kernel) Texts() *texts.Texts { return Get(&k.Language.Part, &k.Language.texts) }

// SetLanguage changes the page's language, and translates names of classes and projects
// that the user has not changed.
func (k *Kernel) SetLanguage(language *texts.Texts) {
	k.Language.Update(func() { k.Language.texts = language.For(k.Project.kind) })
	k.Classes.translate()
	k.Project.translate()
}

// BeforeEngine registers f, which EngineReady calls before it connects the engine.
func (k *Kernel) BeforeEngine(f func()) { k.preparers = append(k.preparers, f) }

// EngineReady connects the engine, which then gets the classes of the page. It is called once.
func (k *Kernel) EngineReady(engine Engine) {
	for _, prepare := range k.preparers {
		prepare()
	}
	k.Engine.enqueue(k.Classes.sync)
	k.Engine.connect(engine)
	k.Notices.Dismiss(NoticeEngine)
	k.Grow(func(r *Revisions) { r.Method++ })
}

// EngineFailed reports that the engine could not be loaded.
func (k *Kernel) EngineFailed(err error) {
	k.Engine.setStage(Failed)
	k.Notices.Post(k.engineTrouble(err, func(t *texts.Texts) (title, text string) { return t.Notice.EngineFailed, Reason(t, err) }))
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
	k.Classes.again()
	k.Notices.Post(engineRestarted(k.Classes.Examples()))
	k.Live.Reclassify()
	k.Grow(func(r *Revisions) { r.Method++ })
}

// withFrames calls use with the files, but with pictures of the videos that the browser can play.
func (k *Kernel) withFrames(files []File, use func([]File)) {
	if k.Frames == nil || !slices.ContainsFunc(files, func(f File) bool { return isVideo(f.Name) }) {
		use(files)
		return
	}
	go func() {
		var all []File
		for _, f := range files {
			if isVideo(f.Name) {
				k.Notices.Post(Tell(NoticeFiles, nil, func(t *texts.Texts) (title, text string) { return t.Notice.Frames(f.Name), "" }))
				if pictures, err := k.Frames(f); err == nil {
					all = append(all, pictures...)
					continue
				}
			}
			all = append(all, f)
		}
		k.Notices.Dismiss(NoticeFiles)
		use(all)
	}()
}

// AddFiles adds files, and pictures of videos, as examples of a class. If one is a project file, it
// is opened instead. Pictures that are ready after another project was opened are dropped.
func (k *Kernel) AddFiles(classID string, files []File) {
	files, of := withoutProjects(files, func(f File) { k.Project.BringFile(f, classID) }), k.Project.State().ID
	k.withFrames(files, func(files []File) {
		if k.Project.State().ID == of {
			k.Capture.AddFiles(classID, files)
		}
	})
}

// Open opens the first project file or archive among files, and shows the others like ShowPictures.
func (k *Kernel) Open(files []File) {
	if files = withoutProjects(files, func(f File) { k.Project.BringFile(f, "") }); len(files) > 0 {
		k.show(k.Live.choose(), files)
	}
}

// ShowPictures shows the first of some pictures on the stage instead of the camera, and classifies
// it now and after every change of the examples; [Live.Turn] shows the others, and pictures of
// videos and archives. A project file is opened instead. If no file is a picture, the stage does not
// change.
func (k *Kernel) ShowPictures(files ...File) {
	choice := k.Live.choose()
	k.show(choice, withoutProjects(files, func(f File) { k.Project.showFile(f, k.showFound(choice)) }))
}

// Showing returns ShowPictures for files of folders that are still being listed. If the user has
// chosen other files or the camera by then, they are not shown.
func (k *Kernel) Showing() func([]File) { return k.showFound(k.Live.choose()) }

func (k *Kernel) showFound(choice int) func([]File) {
	return func(files []File) {
		if len(files) == 0 {
			k.Notices.Post(fileNotOpened("", foreignError(foreign.ErrNothing)))
		}
		k.show(choice, files)
	}
}

func (k *Kernel) show(choice int, files []File) {
	if len(files) == 0 || k.Live.outdated(choice) {
		return
	}
	k.withFrames(files, func(pictures []File) {
		k.Live.showReadable(choice, pictures, func(readable []File) {
			k.Camera.Stop()
			k.Camera.Update(func() { k.Camera.state.Problem = nil })
			k.Live.show(readable, 0)
		})
	})
}

// withoutProjects passes the first project file or archive among files to open, and returns the other
// files.
func withoutProjects(files []File, open func(File)) []File {
	var others []File
	opened := false
	for _, f := range files {
		switch {
		case !f.isProject():
			others = append(others, f)
		case !opened:
			open(f)
			opened = true
		}
	}
	return others
}
