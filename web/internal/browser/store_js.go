package browser

import (
	"encoding/json"
	"syscall/js"
	"time"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// store implements kernel.Store with web/static/web/projects.js. Its errors are *[kernel.Error] with
// the codes of that file.
type store struct{ projects js.Value }

// connectStore connects the browser's storage.
func connectStore(s *kernel.Kernel) {
	go func() {
		projects, err := await(studio.Call("projects"))
		if err != nil {
			s.Project.StoreMissing(err)
			return
		}
		s.Project.StoreReady(&store{projects})
	}()
}

// Projects implements [kernel.Store].
func (s *store) Projects() ([]kernel.ProjectInfo, error) {
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
		return nil, &kernel.Error{Code: kernel.CodeNoStore, Message: "the list of projects cannot be read: " + err.Error()}
	}
	infos := make([]kernel.ProjectInfo, len(list))
	for i, p := range list {
		infos[i] = kernel.ProjectInfo(p)
	}
	return infos, nil
}

// Open implements [kernel.Store].
func (s *store) Open(id string) (kernel.Document, error) {
	return documentOf(await(s.projects.Call("open", id)))
}

// ReadFile implements [kernel.Store].
func (s *store) ReadFile(file kernel.File, progress func(done, all int)) (kernel.Document, error) {
	report := reporter(progress)
	defer report.Release()
	return documentOf(await(s.projects.Call("readFile", file.Source, report)))
}

// Begin implements [kernel.Store].
func (s *store) Begin() { s.projects.Call("begin") }

// Unpack implements [kernel.Store].
func (s *store) Unpack(file kernel.File) ([]kernel.Entry, error) {
	found, err := await(studio.Call("unpack", file.Source))
	if err != nil {
		return nil, err
	}
	return entriesOf(found), nil
}

// Text implements [kernel.Store].
func (s *store) Text(source kernel.Source) ([]byte, error) {
	text, err := await(s.projects.Call("text", source))
	if err != nil {
		return nil, err
	}
	return []byte(text.String()), nil
}

// Take implements [kernel.Store].
func (s *store) Take(examples []kernel.Taken, fresh bool, progress func(done, all int)) error {
	files := window.Get("Array").New(len(examples))
	for i, e := range examples {
		files.SetIndex(i, object(map[string]any{"id": e.ID, "name": e.File.Name, "source": e.File.Source}))
	}
	report := reporter(progress)
	defer report.Release()
	_, err := await(s.projects.Call("take", files, fresh, report))
	return err
}

// Accept implements [kernel.Store].
func (s *store) Accept(id string) { s.projects.Call("accept", id) }

// Save implements [kernel.Store].
func (s *store) Save(doc kernel.Document) error {
	text, err := json.Marshal(doc.Manifest)
	if err != nil {
		return &kernel.Error{Code: "internal", Message: err.Error()}
	}
	_, err = await(s.projects.Call("save", doc.ID, string(text)))
	return err
}

// Forget implements [kernel.Store].
func (s *store) Forget(ids []string) { s.projects.Call("forget", stringArray(ids)) }

// Duplicate implements [kernel.Store].
func (s *store) Duplicate(id, newID, name string) error {
	_, err := await(s.projects.Call("duplicate", id, newID, name))
	return err
}

// Remove implements [kernel.Store].
func (s *store) Remove(id string) error {
	_, err := await(s.projects.Call("remove", id))
	return err
}

// Retrieve implements [kernel.Store].
func (s *store) Retrieve(id string) error {
	_, err := await(s.projects.Call("retrieve", id))
	return err
}

// forms are the names of file formats.
var forms = map[kernel.Form]string{kernel.FormProject: "project", kernel.FormPage: "page", kernel.FormSent: "sent"}

// WriteFile implements [kernel.Store].
func (s *store) WriteFile(doc kernel.Document, form kernel.Form, progress func(done, all int)) error {
	text, err := json.Marshal(doc.Manifest)
	if err != nil {
		return &kernel.Error{Code: "internal", Message: err.Error()}
	}
	report := reporter(progress)
	defer report.Release()
	if form == kernel.FormFolders {
		_, err = await(s.projects.Call("writeFolders", string(text), stringArray(doc.Folders()), kernel.FileName(doc.Name, form), report))
		return err
	}
	_, err = await(s.projects.Call("writeFile", string(text), forms[form], kernel.FileName(doc.Name, form), report))
	return err
}

// Send implements [kernel.Store].
func (s *store) Send() error {
	_, err := await(s.projects.Call("send"))
	return err
}

// documentOf reads a manifest.
func documentOf(text js.Value, err error) (kernel.Document, error) {
	if err != nil {
		return kernel.Document{}, err
	}
	m, err := project.ParseManifest([]byte(text.String()))
	if err != nil {
		return kernel.Document{}, &kernel.Error{Code: kernel.CodeBadProject, Message: err.Error()}
	}
	doc := kernel.Document{Manifest: m}
	var beside struct {
		Unseen []string
		Lost   int
		Made   *struct{ Name, SHA256 string }
	}
	if err := json.Unmarshal([]byte(text.String()), &beside); err == nil {
		doc.Unseen, doc.Lost = beside.Unseen, beside.Lost
		if beside.Made != nil {
			doc.Made = &kernel.Made{Name: beside.Made.Name, Fingerprint: beside.Made.SHA256}
		}
	}
	return doc, nil
}

// reporter converts a progress function for JavaScript.
func reporter(progress func(done, all int)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		progress(int(args[0].Float()), args[1].Int())
		return nil
	})
}
