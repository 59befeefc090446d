package kernel

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// UsualRate is the number of examples per second that a held button takes, unless the user
// chooses another.
const UsualRate = 8

// stale is the time after which a press that is over takes nothing: the camera may see something else by
// now.
const stale = time.Second

// Capture takes examples from a camera while a button is held, and from files.
type Capture struct {
	Part
	rate    int                  // examples per second; 0 stands for UsualRate
	click   func(classID string) // see Set
	class   string               // the class that examples are taken of, or soon will be; or ""
	release context.CancelFunc
}

// Set sets the examples per second that a held button takes; the engine may take fewer. With click,
// capture buttons react to clicks, instead of being held.
func (c *Capture) Set(perSecond int, click func(classID string)) {
	c.Update(func() { c.rate, c.click = perSecond, click })
}

// Interval returns the time from one example to the next.
func (c *Capture) Interval() time.Duration {
	return time.Second / time.Duration(cmp.Or(Get(&c.Part, &c.rate), UsualRate))
}

// Click returns the reaction to a click on a capture button; nil if the button is held.
func (c *Capture) Click() func(classID string) { return Get(&c.Part, &c.click) }

// Class returns the id of the class that examples are taken of, or "".
func (c *Capture) Class() string { return Get(&c.Part, &c.class) }

// Hold takes examples of a class from the camera until Release is called: one immediately, then at
// the chosen rate or as fast as the engine can. A microphone records takes instead.
func (c *Capture) Hold(classID string) {
	c.Begin(classID, func(ctx context.Context, take func(context.Context)) { take(ctx) })
}

// Begin starts a goroutine in which run takes examples of a class. take returns when its context
// is done. Release ends the context of run; run ends the capture when it returns.
func (c *Capture) Begin(classID string, run func(ctx context.Context, take func(context.Context))) {
	c.Release()
	cameras, on := c.K.Camera.running()
	if !on {
		c.K.Notices.Post(c.K.captureWithoutCamera())
		return
	}
	ctx, release := context.WithCancel(context.Background())
	c.Update(func() { c.class, c.release = classID, release })
	c.K.Classes.begin(classID)
	together := c.K.Classes.newBatch()
	barrier := c.K.Engine.Barrier()
	go func() {
		defer c.K.Classes.endBatch(together)
		run(ctx, func(ctx context.Context) {
			select {
			case <-barrier:
			case <-ctx.Done():
				select {
				case <-barrier:
				case <-time.After(stale):
					return
				}
			}
			if recorder, ok := cameras.(Recorder); ok {
				c.record(ctx, together, classID, recorder)
			} else {
				c.takeExamples(ctx, together, classID, cameras)
			}
		})
		if ctx.Err() == nil {
			c.Release()
		}
	}()
}

// Release ends the capture.
func (c *Capture) Release() {
	c.Update(func() {
		c.release()
		c.class = ""
	})
}

// takeExamples adds at least one camera frame, and continues until the context is done or an error
// occurs.
func (c *Capture) takeExamples(ctx context.Context, together *batch, classID string, cameras Cameras) {
	tick := time.NewTicker(c.Interval())
	defer tick.Stop()
	for goesOn := true; goesOn; goesOn = ctx.Err() == nil {
		c.K.Classes.addWaiting(together, classID, 1)
		if err := c.K.Classes.teach(together, classID, cameras.Source()); err != nil {
			c.trouble(err)
			return
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// record adds the takes of a recorder until the context is done. It skips silent takes.
func (c *Capture) record(ctx context.Context, together *batch, classID string, recorder Recorder) {
	recorder.Record(ctx, func(take Source) {
		c.K.Classes.addWaiting(together, classID, 1)
		if err := c.K.Classes.teach(together, classID, take); err != nil && CodeOf(err) != CodeSilent {
			c.trouble(err)
		}
	})
}

// AddFiles adds files as examples of a class. A notice names the files that cannot be read; the
// others are added.
func (c *Capture) AddFiles(classID string, files []File) {
	if len(files) == 0 {
		return
	}
	c.K.Classes.begin(classID)
	c.AddTo([]string{classID}, [][]File{files})
}

// Fill is AddTo for classes of names: the class of the name, otherwise an empty class with its initial
// name, otherwise a new class. It returns the ids of the classes.
func (c *Capture) Fill(labels []string, files [][]File) (ids []string) {
	ids, together := c.K.Classes.fill(labels)
	c.add(together, ids, files)
	return ids
}

// AddTo adds files to classes, as one step; files has one list per class.
func (c *Capture) AddTo(classIDs []string, files [][]File) {
	c.add(c.K.Classes.newBatch(), classIDs, files)
}

// add adds files to classes in parallel.
func (c *Capture) add(together *batch, classIDs []string, files [][]File) {
	for i, id := range classIDs {
		c.K.Classes.addWaiting(together, id, len(files[i]))
	}
	barrier := c.K.Engine.Barrier()
	var under sync.WaitGroup
	for i, id := range classIDs {
		under.Go(func() {
			<-barrier
			c.addFiles(together, id, files[i])
		})
	}
	go func() {
		under.Wait()
		c.K.Classes.endBatch(together)
	}()
}

func (c *Capture) addFiles(together *batch, classID string, files []File) {
	var refused []refusal
	added := false
	for i, file := range files {
		err := c.K.Classes.teach(together, classID, file.Source)
		switch CodeOf(err) {
		case CodeBadImage, CodeBadSound, CodeSilent:
			refused = append(refused, refusal{file.Name, err})
		case CodeOutOfMemory:
			// The other files would fail too.
			c.K.Classes.addWaiting(together, classID, -(len(files) - i - 1))
			c.trouble(err)
			return
		case CodeUnknown: // the class was removed, or the batch undone
			return
		default:
			if added = added || err == nil; err != nil {
				c.trouble(err)
			}
		}
	}
	if len(refused) > 0 {
		c.K.Notices.Post(notPictures(refused, added))
	}
	c.K.Live.Reclassify()
}

func (c *Capture) trouble(err error) {
	if CodeOf(err) == CodeOutOfMemory {
		examples := c.K.Classes.Examples()
		c.K.Notices.Post(Warn(NoticeEngine, err, func(t *texts.Texts) (title, text string) {
			return t.Notice.NoMemory, Paragraph(Reason(t, err), t.Notice.Kept(examples), t.Notice.NoMemoryRemedy)
		}))
	} else {
		c.K.Notices.Trouble(err)
	}
}
