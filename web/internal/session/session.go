// Package session is the state of one studio page and what a person can do with
// it: classes with examples, a camera, live answers, and messages about what
// went wrong. It holds no picture, no HTML and no arithmetic: pictures stay with
// the Engine (deepemd.js) and the Camera, which it reaches through interfaces,
// so that all of it runs and is tested outside a browser too.
package session

import (
	"slices"
	"sync"
	"time"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
)

// Topic names a part of the state that can be watched for changes.
type Topic int

// The parts of the state.
const (
	Classes  Topic = iota // classes and their examples
	Live                  // the answer for what is shown
	Cameras               // the camera and the list of cameras
	Engines               // loading, ready, restarting
	Notices               // messages for the person
	Language              // what everything is said in
	Projects              // the project, those that are kept, what can be undone
	OnDevice              // how far the page is at home on the device
	Demos                 // pictures that come with the page
	Reasons               // why the answer is what it is
	Setups                // how pictures are recognised
	Reviews               // what the examples say about themselves
	Trials                // tests with pictures of known classes
)

// Session is the state of a page. Make one with New; its methods may be called
// from any goroutine, and none of them blocks on the engine or the camera.
type Session struct {
	mu       sync.Mutex
	watchers map[Topic][]*watcher

	classes []Class
	lastID  int
	hue     int

	engine      Engine
	engineReady chan struct{} // closed when engine is set
	engineState EngineState
	arrived     map[string]float64   // how much of each part, 0 to 1
	line        []func(Engine) error // what the engine is told, in order

	camera      Camera
	cameraState CameraState
	stopLive    func()

	live    Answer
	rate    rate
	picture *File // what is classified while the camera is off
	busy    bool  // the picture is being classified
	again   bool  // and must be once more after that

	why       WhyState
	explained time.Time // when an explanation was asked for last

	setup    setups
	reviews  reviews
	training training
	trial    *trial

	capture *capture

	past, future []step // what can be undone, and done again

	project   ProjectState // but for opening and writing
	created   time.Time
	method    method.Method
	store     Store
	dirty     bool       // changed since it was kept
	saving    bool       // saveWhileDirty runs
	epoch     int        // of projects that were opened: what is under way for an earlier one is dropped
	opening   *Progress  // of bringing examples back
	remade    bool       // what is being brought back is to be kept, once it is there
	writing   *Progress  // of a file
	switching sync.Mutex // held while the project is kept, or another takes its place
	changing  sync.Mutex // held while something is done with projects

	notices []Notice
	device  DeviceState
	tries   []File // of the demonstration
}

// New returns a session with two classes to fill, as most people need two.
func New() *Session {
	s := &Session{
		watchers:    map[Topic][]*watcher{},
		engineReady: make(chan struct{}),
		arrived:     map[string]float64{},
	}
	s.hue = 2
	s.project = ProjectState{ID: newProjectID(), Kind: project.KindImage}
	s.created, s.method = time.Now().UTC(), method.Default()
	for hue := range 2 {
		c := Class{ID: s.newID("class"), Hue: hue}
		c.Label, c.number = s.freeLabel()
		s.classes = append(s.classes, c)
	}
	return s
}

type watcher struct{ changed func() }

// Watch calls changed after every change of a part of the state, until the
// returned function is called. It may be called from any goroutine.
func (s *Session) Watch(topic Topic, changed func()) (cancel func()) {
	w := &watcher{changed}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watchers[topic] = append(s.watchers[topic], w)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.watchers[topic] = slices.DeleteFunc(slices.Clone(s.watchers[topic]), func(o *watcher) bool { return o == w })
	}
}

// update changes the state under the lock and then tells the watchers.
func (s *Session) update(change func(), topics ...Topic) {
	s.mu.Lock()
	change()
	var tell []*watcher
	for _, topic := range topics {
		tell = append(tell, s.watchers[topic]...)
	}
	s.mu.Unlock()
	for _, w := range tell {
		w.changed()
	}
}
