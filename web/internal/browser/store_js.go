package browser

import (
	"encoding/json"
	"syscall/js"
	"time"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/session"
)

// store is web/static/web/projects.js behind the session's interface, which says what
// its methods do. Their errors are *[session.Error], with the codes of that file.
type store struct{ projects js.Value }

// connectStore hands the session what this browser keeps.
func connectStore(s *session.Session) {
	go func() {
		projects, err := await(studio.Call("projects"))
		if err != nil {
			s.Project.StoreMissing(err)
			return
		}
		s.Project.StoreReady(&store{projects})
	}()
}

// Projects implements [session.Store].
func (s *store) Projects() ([]session.ProjectInfo, error) {
	text, err := await(s.projects.Call("list"))
	if err != nil {
		return nil, err
	}
	var list []struct {
		ID, Name, Kind    string
		Classes, Examples int
		Saved             time.Time
		Damaged           bool
	}
	if err := json.Unmarshal([]byte(text.String()), &list); err != nil {
		return nil, &session.Error{Code: session.CodeNoStore, Message: "the list of projects cannot be read: " + err.Error()}
	}
	infos := make([]session.ProjectInfo, len(list))
	for i, p := range list {
		infos[i] = session.ProjectInfo(p)
	}
	return infos, nil
}

// Open implements [session.Store].
func (s *store) Open(id string) (session.Document, error) {
	return documentOf(await(s.projects.Call("open", id)))
}

// ReadFile implements [session.Store].
func (s *store) ReadFile(file session.File, progress func(done, all int)) (session.Document, error) {
	report := reporter(progress)
	defer report.Release()
	return documentOf(await(s.projects.Call("readFile", file.Source, report)))
}

// Begin implements [session.Store].
func (s *store) Begin() { s.projects.Call("begin") }

// Unpack implements [session.Store].
func (s *store) Unpack(file session.File) ([]session.Entry, error) {
	found, err := await(studio.Call("unpack", file.Source))
	if err != nil {
		return nil, err
	}
	return entriesOf(found), nil
}

// Text implements [session.Store].
func (s *store) Text(source session.Source) ([]byte, error) {
	text, err := await(s.projects.Call("text", source))
	if err != nil {
		return nil, err
	}
	return []byte(text.String()), nil
}

// Take implements [session.Store].
func (s *store) Take(examples []session.Taken, fresh bool, progress func(done, all int)) error {
	files := window.Get("Array").New(len(examples))
	for i, e := range examples {
		files.SetIndex(i, object(map[string]any{"id": e.ID, "name": e.File.Name, "source": e.File.Source}))
	}
	report := reporter(progress)
	defer report.Release()
	_, err := await(s.projects.Call("take", files, fresh, report))
	return err
}

// Accept implements [session.Store].
func (s *store) Accept(id string) { s.projects.Call("accept", id) }

// Save implements [session.Store].
func (s *store) Save(doc session.Document) error {
	text, err := json.Marshal(doc.Manifest)
	if err != nil {
		return &session.Error{Code: "internal", Message: err.Error()}
	}
	_, err = await(s.projects.Call("save", doc.ID, string(text)))
	return err
}

// Forget implements [session.Store].
func (s *store) Forget(ids []string) { s.projects.Call("forget", stringArray(ids)) }

// Duplicate implements [session.Store].
func (s *store) Duplicate(id, newID, name string) error {
	_, err := await(s.projects.Call("duplicate", id, newID, name))
	return err
}

// Remove implements [session.Store].
func (s *store) Remove(id string) error {
	_, err := await(s.projects.Call("remove", id))
	return err
}

// Retrieve implements [session.Store].
func (s *store) Retrieve(id string) error {
	_, err := await(s.projects.Call("retrieve", id))
	return err
}

// forms names the forms of files.
var forms = map[session.Form]string{session.FormProject: "project", session.FormPage: "page", session.FormSent: "sent"}

// WriteFile implements [session.Store].
func (s *store) WriteFile(doc session.Document, form session.Form, progress func(done, all int)) error {
	text, err := json.Marshal(doc.Manifest)
	if err != nil {
		return &session.Error{Code: "internal", Message: err.Error()}
	}
	report := reporter(progress)
	defer report.Release()
	if form == session.FormFolders {
		_, err = await(s.projects.Call("writeFolders", string(text), stringArray(doc.Folders()), session.FileName(doc.Name, form), report))
		return err
	}
	_, err = await(s.projects.Call("writeFile", string(text), forms[form], session.FileName(doc.Name, form), report))
	return err
}

// Send implements [session.Store].
func (s *store) Send() error {
	_, err := await(s.projects.Call("send"))
	return err
}

// document reads a manifest.
func documentOf(text js.Value, err error) (session.Document, error) {
	if err != nil {
		return session.Document{}, err
	}
	m, err := project.ParseManifest([]byte(text.String()))
	if err != nil {
		return session.Document{}, &session.Error{Code: session.CodeBadProject, Message: err.Error()}
	}
	doc := session.Document{Manifest: m}
	var beside struct {
		Unseen []string
		Lost   int
		Made   *struct{ Name, SHA256 string }
	}
	if err := json.Unmarshal([]byte(text.String()), &beside); err == nil {
		doc.Unseen, doc.Lost = beside.Unseen, beside.Lost
		if beside.Made != nil {
			doc.Made = &session.Made{Name: beside.Made.Name, Fingerprint: beside.Made.SHA256}
		}
	}
	return doc, nil
}

// reporter is a function for JavaScript that passes progress on.
func reporter(progress func(done, all int)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		progress(int(args[0].Float()), args[1].Int())
		return nil
	})
}
