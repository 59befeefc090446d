package kernel

import "github.com/deepemd/deepemd/core/project"

const (
	MaxSteps       = maxSteps
	GoodLasts      = goodLasts
	EmbeddedAtOnce = embeddedAtOnce
	RetryPause     = retryPause
)

type Operation = operation

var (
	EngineRestarted      = engineRestarted
	CaptureWithoutCamera = (*Kernel).captureWithoutCamera
)

func (k *Kernel) Numbers() Revisions { return k.revisions }

func (c *Classes) Kept() []project.Class {
	classes, _ := c.document()
	return classes
}
func (c *Classes) WaitRestored() { c.waitRestored() }
func (c *Classes) Open(kept []project.Class, unseen []string, revision int, keep bool, accept func()) bool {
	return c.open(&Document{Manifest: project.Manifest{Classes: kept}, Unseen: unseen}, revision, keep, accept)
}

func (q *EngineQueue) Connect(e Engine)                       { q.connect(e) }
func (q *EngineQueue) Enqueue(operations ...Operation)        { q.enqueue(operations...) }
func (p *Project) ShowDocument(doc Document, keep bool) error { return p.show(doc, keep) }
func (p *Project) OfKind(all []ProjectInfo) []ProjectInfo     { return p.ofKind(all) }

// Occupy starts a capture that takes nothing.
func (c *Capture) Occupy(classID string) { c.class, c.release = classID, func() {} }
