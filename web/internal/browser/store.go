package browser

import (
	"encoding/json"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// store implements kernel.Store with web/static/web/projects.js. Its errors are *[kernel.Error] with
// the codes of that file.
type store struct{ projects Value }

func connectStore(s *kernel.Kernel) {
	go func() {
		projects, err := Await(Studio.Call("projects"))
		if err != nil {
			s.Project.StoreMissing(err)
			return
		}
		s.Project.StoreReady(&store{projects})
	}()
	// Saves wait for the engine. A hidden page may end before, and so does one that is left: listeners of the
	// capturing phase can still save; see lock.js.
	flush := Callback(func([]Value) { go s.Project.Flush() })
	Document.Call("addEventListener", "visibilitychange", flush)
	Window.Call("addEventListener", "pagehide", flush, true)
}

func (s *store) Projects() ([]kernel.ProjectInfo, error) {
	text, err := Await(s.projects.Call("list"))
	if err != nil {
		return nil, err
	}
	var infos []kernel.ProjectInfo
	if err := json.Unmarshal([]byte(text.String()), &infos); err != nil {
		return nil, &kernel.Error{Code: kernel.CodeNoStore, Message: "the list of projects cannot be read: " + err.Error()}
	}
	return infos, nil
}

func (s *store) Open(id string) (kernel.Document, error) {
	return documentOf(Await(s.projects.Call("open", id)))
}

func (s *store) ReadFile(file kernel.File, progress func(done, all int)) (kernel.Document, error) {
	report := Reporter(progress)
	defer report.Release()
	return documentOf(Await(s.projects.Call("readFile", file.Source, report)))
}

func (s *store) Begin() { s.projects.Call("begin") }

func (s *store) Unpack(file kernel.File) ([]kernel.File, error) {
	return foundFiles(Await(Studio.Call("unpack", file.Source)))
}

func (s *store) Text(source kernel.Source) ([]byte, error) {
	text, err := Await(s.projects.Call("text", source))
	if err != nil {
		return nil, err
	}
	return []byte(text.String()), nil
}

func (s *store) Take(examples []kernel.Taken, fresh bool, progress func(done, all int) bool) error {
	files := Window.Get("Array").New(len(examples))
	for i, e := range examples {
		files.SetIndex(i, ValueOf(map[string]any{"id": e.ID, "name": e.File.Name, "source": e.File.Source}))
	}
	report := FuncOf(func(_ Value, args []Value) any { return progress(args[0].Int(), args[1].Int()) })
	defer report.Release()
	return Wait(s.projects.Call("take", files, fresh, report))
}

func (s *store) Accept(id string) { s.projects.Call("accept", id) }

func (s *store) Save(doc kernel.Document) error {
	text, err := json.Marshal(doc.Manifest)
	if err != nil {
		return &kernel.Error{Code: "internal", Message: err.Error()}
	}
	past, _ := json.Marshal(doc.Past) // strings and numbers always have a JSON form
	return Wait(s.projects.Call("save", doc.ID, string(text), string(past)))
}

func (s *store) Forget(ids []string) { s.projects.Call("forget", stringArray(ids)) }

func (s *store) Duplicate(id, newID, name string) error {
	return Wait(s.projects.Call("duplicate", id, newID, name))
}

func (s *store) Remove(id string) (kept bool, err error) {
	value, err := Await(s.projects.Call("remove", id))
	return err == nil && value.Bool(), err
}

func (s *store) Retrieve(id string) error { return Wait(s.projects.Call("retrieve", id)) }

func (s *store) WriteFile(doc kernel.Document, form kernel.Form, progress func(done, all int)) error {
	text, err := json.Marshal(doc.Manifest)
	if err != nil {
		return &kernel.Error{Code: "internal", Message: err.Error()}
	}
	report := Reporter(progress)
	defer report.Release()
	if form == kernel.FormFolders {
		return Wait(s.projects.Call("writeFolders", string(text), stringArray(doc.Folders()), kernel.FileName(doc.Name, form), report))
	}
	return Wait(s.projects.Call("writeFile", string(text), string(form), kernel.FileName(doc.Name, form), report))
}

func (s *store) Send() error { return Wait(s.projects.Call("send")) }

// documentOf reads a manifest.
func documentOf(text Value, err error) (kernel.Document, error) {
	if err != nil {
		return kernel.Document{}, err
	}
	m, err := project.ParseManifest([]byte(text.String()))
	if err != nil {
		return kernel.Document{}, &kernel.Error{Code: kernel.CodeBadProject, Message: err.Error()}
	}
	var doc kernel.Document
	_ = json.Unmarshal([]byte(text.String()), &doc) // everything else in projects.js is optional
	doc.Manifest = m
	return doc, nil
}

// Reporter converts a progress function for JavaScript.
func Reporter(progress func(done, all int)) Func {
	return Callback(func(args []Value) { progress(int(args[0].Float()), args[1].Int()) })
}
