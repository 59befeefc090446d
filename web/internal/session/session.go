// Package session is the state of one studio page and what a person can do with it. It
// holds no picture, no HTML and no arithmetic: pictures stay with the Engine
// (deepemd.js) and the Cameras, which it reaches through interfaces, so that all of it
// runs and is tested outside a browser too.
//
// # Parts
//
// A Session is made of parts. Each owns its state, in a type of its own:
//
//   - Classes: the classes, their examples, and the history that undo goes through;
//   - Capture: how examples come in, from the camera and from files;
//   - Engine: how far the engine is, and the queue of what it is told;
//   - Camera: which camera is on; Framing: what the network sees of it; Live: what is
//     shown, and what it is taken for;
//   - Why: the reason for the answer; Where: where in the picture it lies;
//   - Setup: how examples and pictures are recognised; Network: by which network;
//   - Reviews, Growth, Training, Trial: what the examples say about themselves and what
//     more of them are worth, learning from them, and tests;
//   - Then: what happens when a class is seen, and the log of answers;
//   - Project: the project that is open, and the store that keeps projects;
//   - Lesson: the lesson that the project was begun for, and its drawn characters;
//   - Notices, Language, Installation, Demo: what the person is told and in which
//     language, the page on the device, and the pictures that come with it.
//
// What concerns several parts, such as a crash of the engine, is a method of Session.
//
// # Concurrency
//
// Methods may be called from any goroutine. None that a person's click leads to waits
// for the engine, the camera or the store.
//
// Each part has one lock for its state. No part holds it while it calls another part,
// the engine, a camera, the store, or somebody who watches, so that no two of these
// locks are ever held together. There is one exception: Classes puts what it tells the
// engine into the queue while it holds its lock, so that the engine is told things in
// the order in which they happened; the queue calls nobody while it holds its own.
//
// Project has two more locks, which are not about state: changing lets one thing at a
// time happen to projects, switching keeps the project that is open from being saved
// and replaced at once. They are held for long and taken first: changing, then
// switching, then any lock of a part. Network has one of that kind, which none of the
// others is held with.
package session

import "github.com/deepemd/deepemd/web/internal/texts"

// Session is the state of a page. Make one with New.
type Session struct {
	Language     *Language
	Notices      *Notices
	Engine       *EngineQueue
	Classes      *Classes
	Capture      *Capture
	Camera       *Camera
	Framing      *Framing
	Live         *Live
	Why          *Why
	Where        *Where
	Setup        *Setup
	Network      *Network
	Reviews      *Reviews
	Growth       *Growths
	Training     *Training
	Trial        *Trial
	Then         *Then
	Project      *Project
	Installation *Installation
	Demo         *Demo
	Lesson       *Lesson
}

// New returns a session of projects of the given kind (project.KindImage or
// project.KindSound) that speaks a language. It has two classes to fill, as most people
// need two.
func New(kind string, language *texts.Texts) *Session {
	s := &Session{Language: newLanguage(kind, language)}
	words := s.Language.Texts
	s.Notices = newNotices(words)
	s.Engine = newEngineQueue(s.Notices)
	s.Classes = newClasses(s.Engine, words)
	s.Setup = newSetup(s.Engine, s.Classes.Examples, s.Notices)
	s.Network = newNetwork(s.Setup, s.Engine, s.Notices)
	s.Why = newWhy(s.Engine, s.Classes, s.Notices)
	s.Where = newWhere(s.Classes)
	s.Live = newLive(s.Engine, s.Classes, s.Why, s.Where, s.Notices)
	s.Camera = newCamera(s.Notices, words)
	s.Framing = &Framing{}
	s.Capture = newCapture(s.Engine, s.Classes, s.Camera, s.Notices)
	s.Reviews = newReviews(kind, s.Engine, s.Classes, s.Notices)
	s.Growth = newGrowths(s.Engine, s.Classes, s.Notices)
	s.Training = newTraining(s.Engine, s.Notices)
	s.Trial = newTrial(s.Engine, s.Classes, s.Setup, s.Notices)
	s.Then = newThen(kind, s.Classes, s.Notices, words)
	s.Project = newProject(kind, s.Classes, s.Setup, s.Notices, words)
	s.Installation = &Installation{notices: s.Notices}
	s.Demo = &Demo{session: s}
	s.Lesson = &Lesson{session: s}
	s.connect()
	return s
}

// connect tells each part what else happens when it changes.
func (s *Session) connect() {
	s.Classes.interrupt = s.Capture.Release
	s.Classes.stepped = func() { s.Notices.Dismiss(noticeDeleted) }
	s.Classes.deleted = func(class Class, whole bool) { s.Notices.post(classDeleted(class, whole)) }
	s.Classes.edited = func() {
		s.Lesson.follow()
		s.Project.touch()
		s.examine()
		s.Then.greet()
	}
	s.Classes.retaught = s.Live.reclassify
	s.Classes.kept = s.Project.touch
	s.Classes.refused = func(all []refusal) { s.Notices.post(notPictures(all)) }

	s.Capture.added = s.Live.reclassify

	s.Camera.interrupt = s.Capture.Release
	s.Camera.began = func() {
		s.Lesson.ClosePad()
		s.Live.dropPicture()
	}
	s.Camera.watch = s.Live.watch
	s.Camera.ended = s.Live.clear

	s.Framing.changed = s.Project.touch

	s.Live.measured = s.Setup.measured
	s.Live.paced = s.Network.paced
	s.Live.told = func(answer Answer, still bool) {
		s.Then.told(answer, still)
		s.Lesson.told(answer, still)
	}
	s.Live.lost = func() {
		s.Then.lost()
		s.Lesson.answers(false)
	}
	s.Live.deaf = s.Then.Aloud
	s.Why.shown = s.Live.reclassify
	s.Where.shown = s.Live.reclassify

	s.Then.edited = s.Project.touch
	s.Then.busy = func() bool { return s.Capture.Held() != "" }
	s.Project.extends = []extension{s.Then, s.Framing, s.Lesson}

	s.Reviews.busy = s.busy

	s.Setup.chosen = s.Project.touch
	s.Setup.applied = func() {
		s.Live.newRate()
		s.examine()
	}
	s.Setup.retold = s.Live.reclassify

	s.Training.learned = s.Live.reclassify

	s.Project.interrupt = s.Capture.Release
	s.Project.busy = s.busy
	s.Project.opened = s.Network.compare
	s.Project.shown = func() {
		s.Network.forgetMade()
		s.Live.clear()
		s.Reviews.forget()
		s.Growth.forget()
		s.Trial.Close()
		s.Live.reclassify()
		s.examine()
	}
}

// examine looks at the examples again.
func (s *Session) examine() {
	s.Reviews.examine()
	s.Growth.examine()
}

// Texts are what the page says now.
func (s *Session) Texts() *texts.Texts { return s.Language.Texts() }

// SetLanguage has the page speak another language. Classes that nobody has named get
// their names in it.
func (s *Session) SetLanguage(language *texts.Texts) {
	s.Language.use(language)
	s.Classes.translate()
}

// EngineReady hands the session its engine, which is told the classes that were made,
// or brought back, while it was loading. It is called once.
func (s *Session) EngineReady(engine Engine) {
	s.Classes.introduce(s.Setup.follow)
	s.Engine.connect(engine)
	s.Notices.Dismiss(noticeEngine)
	s.examine()
}

// EngineFailed reports that the engine could not be loaded.
func (s *Session) EngineFailed(err error) {
	s.Engine.failed()
	s.Notices.post(engineFailed(err))
}

// EngineCrashed reports that the engine died. Unless restarting is false it is being
// started again by deepemd.js, which keeps every example.
func (s *Session) EngineCrashed(err error, restarting bool) {
	s.Engine.crashed(restarting)
	s.Live.clear()
	s.Notices.post(engineCrashed(err, restarting, s.Classes.Examples()))
}

// EngineRestarted reports that the engine runs again and knows every example.
func (s *Session) EngineRestarted() {
	s.Engine.restarted()
	s.Notices.post(engineRestarted(s.Classes.Examples()))
	s.Live.reclassify()
	s.examine()
}

// AddFiles makes each of the files an example of the class. A project file among them
// is opened instead.
func (s *Session) AddFiles(classID string, files []File) {
	s.Capture.AddFiles(classID, s.withoutProjects(files, classID))
}

// Open opens the first project file, or archive, among files.
func (s *Session) Open(files []File) { s.withoutProjects(files, "") }

// ShowPicture classifies a picture instead of what the camera shows, now and whenever
// the examples change. A project file is opened instead.
//
// A file that is no picture is said to be none, and what was on the stage stays there.
func (s *Session) ShowPicture(file File) {
	if len(s.withoutProjects([]File{file}, "")) == 0 {
		return
	}
	s.Live.look(file, func() {
		s.Lesson.pictured(file)
		s.Camera.Stop()
		s.Camera.forgetProblem()
		s.Live.show(file)
	})
}

// withoutProjects opens the first project file among files, and returns those that are
// none. The class with the given id takes pictures of an archive that are of one class.
func (s *Session) withoutProjects(files []File, classID string) []File {
	var others []File
	opened := false
	for _, f := range files {
		switch {
		case !f.isProject():
			others = append(others, f)
		case !opened:
			s.Project.BringFile(f, classID)
			opened = true
		}
	}
	return others
}
