package learner

// Long work reads the immutable fields of a model. It locks the workspace for a few
// milliseconds at a time. In between, live answers and the caller's progress function run.

// Context cancels long work once Err returns an error. A context.Context is a Context; nil
// never cancels. (The package does not import context, which would make the page's engine 1%
// larger.)
type Context interface{ Err() error }

// job is the state of long work.
type job struct {
	ctx         Context
	progress    func(done, total int) error
	done, total int
}

// pause is called between two pieces of work. The work ends if it returns an error.
func (j *job) pause() error {
	if j.ctx != nil {
		if err := j.ctx.Err(); err != nil {
			return err
		}
	}
	if j.progress == nil {
		return nil
	}
	return j.progress(j.done, j.total)
}

// step counts one of the total pieces, then pauses.
func (j *job) step() error {
	j.done = min(j.done+1, j.total)
	return j.pause()
}

// Learn trains the classifier on all examples and calibrates verdicts. Afterwards,
// ClassifyLive gives the same answers as Classify, and Review is faster. progress, unless nil,
// is called every few milliseconds.
//
// # Errors
//
// The errors of ctx and progress, which end the work.
func (m *Model) Learn(ctx Context, progress func(done, total int) error) error {
	j := &job{ctx: ctx, progress: progress}
	if err := m.begin(); err != nil {
		if e, ok := err.(*Error); ok && e.Code == CodeEmpty {
			return m.measure(j) // of background examples
		}
		return err
	}
	j.total = 2 * count(m.fitted) // see openset.LeaveOneOut
	if err := m.study(j); err != nil {
		return err
	}
	if m.opt.Method.Strangers.Name || len(m.enabled(true)) > 0 {
		if _, err := m.calibrate(j); err != nil {
			return err
		}
	}
	return m.measure(j)
}

// begin fits the classifier.
func (m *Model) begin() error {
	m.net.Lock()
	defer m.net.Unlock()
	return m.fit()
}

// study trains the classifier on all examples.
func (m *Model) study(j *job) error {
	student := m.classifier.Traits().Student
	if student == nil {
		return nil
	}
	m.net.Lock()
	defer m.net.Unlock()
	return student.Learn(func() error {
		m.net.Unlock()
		defer m.net.Lock()
		return j.pause()
	})
}

// looks is the number of images measured per pause, about a millisecond's work.
const looks = 2

// measure measures the images of the examples.
func (m *Model) measure(j *job) error {
	for _, c := range m.classes {
		for rest := c.examples; len(rest) > 0; {
			n := 0
			m.net.Lock()
			for ; len(rest) > 0 && n < looks; rest = rest[1:] {
				if rest[0].measure() {
					n++
				}
			}
			m.net.Unlock()
			if n > 0 {
				if err := j.pause(); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
