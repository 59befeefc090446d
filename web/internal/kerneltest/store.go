package kerneltest

import (
	"slices"
	"sync"
	"time"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Store saves documents in memory.
type Store struct {
	Mu        sync.Mutex
	Kept      map[string]kernel.Document
	Removed   map[string]bool
	Damaged   []string // ids of damaged projects
	Saves     int
	Accepted  []string
	File      kernel.Document // result of ReadFile
	Sent      int
	Archive   []kernel.File // result of Unpack
	Taken     []kernel.Taken
	Written   []kernel.Form
	Forgotten []string
	Fail      map[string]error // by the name of the method
	Pause     time.Duration    // duration of Save
}

func NewStore(docs ...kernel.Document) *Store {
	f := &Store{Kept: map[string]kernel.Document{}, Removed: map[string]bool{}, Fail: map[string]error{}}
	for _, d := range docs {
		f.Kept[d.ID] = d
	}
	return f
}

// do does something under the lock, unless the method of the given name fails.
func (f *Store) do(method string, something func()) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if f.Fail[method] == nil {
		something()
	}
	return f.Fail[method]
}

func (f *Store) Projects() (list []kernel.ProjectInfo, err error) {
	err = f.do("Projects", func() {
		for _, id := range f.Damaged {
			list = append(list, kernel.ProjectInfo{ID: id, Damaged: true})
		}
		for _, d := range f.Kept {
			list = append(list, d.Info())
		}
		list = slices.DeleteFunc(list, func(p kernel.ProjectInfo) bool { return f.Removed[p.ID] })
		slices.SortFunc(list, func(a, b kernel.ProjectInfo) int { return b.Saved.Compare(a.Saved) })
	})
	return list, err
}

func (f *Store) Open(id string) (doc kernel.Document, err error) {
	known := false
	err = f.do("Open", func() { doc, known = f.Kept[id] })
	if err == nil && (!known || f.Removed[id]) {
		err = Failure(kernel.CodeGone, "gone")
	}
	return doc, err
}

func (f *Store) ReadFile(_ kernel.File, progress func(done, all int)) (kernel.Document, error) {
	progress(1, 2)
	return f.File, f.Fail["ReadFile"]
}

func (f *Store) Begin()                                    {}
func (f *Store) Unpack(kernel.File) ([]kernel.File, error) { return f.Archive, f.Fail["Unpack"] }
func (f *Store) Text(source kernel.Source) ([]byte, error) {
	return []byte(source.(string)), f.Fail["Text"]
}

func (f *Store) Take(examples []kernel.Taken, fresh bool, progress func(done, all int) bool) error {
	if !progress(len(examples), len(examples)) {
		return Failure(kernel.CodeStopped, "stopped")
	}
	return f.do("Take", func() {
		if fresh {
			f.Taken = nil
		}
		f.Taken = append(f.Taken, examples...)
	})
}

func (f *Store) Accept(id string) {
	_ = f.do("", func() { f.Accepted = append(f.Accepted, id) })
}

func (f *Store) Save(doc kernel.Document) error {
	time.Sleep(f.Pause)
	return f.do("Save", func() {
		f.Saves++
		f.Kept[doc.ID] = doc
		delete(f.Removed, doc.ID) // like projects.js
	})
}

func (f *Store) Forget(ids []string) {
	_ = f.do("", func() { f.Forgotten = append(f.Forgotten, ids...) })
}

func (f *Store) Duplicate(id, newID, name string) error {
	return f.do("", func() {
		d := f.Kept[id]
		d.ID, d.Name = newID, name
		f.Kept[newID] = d
	})
}

// Remove keeps a project unless the disk is full, like projects.js.
func (f *Store) Remove(id string) (kept bool, err error) {
	err = f.do("", func() { f.Removed[id], kept = true, kernel.CodeOf(f.Fail["Save"]) != kernel.CodeFull })
	return kept, err
}

func (f *Store) Retrieve(id string) error { return f.do("", func() { delete(f.Removed, id) }) }

func (f *Store) WriteFile(doc kernel.Document, form kernel.Form, progress func(done, all int)) error {
	progress(doc.Examples(), doc.Examples())
	return f.do("WriteFile", func() { f.Written = append(f.Written, form) })
}

func (f *Store) Send() error { return f.do("Send", func() { f.Sent++ }) }

// Doc returns a saved document.
func (f *Store) Doc(id string) (doc kernel.Document) {
	_ = f.do("", func() { doc = f.Kept[id] })
	return doc
}

// Cups returns a document of an earlier visit.
func Cups() kernel.Document {
	return kernel.Document{
		ID: "project-cups", Kind: project.KindImage, Name: "Cups", Saved: time.Unix(1000, 0),
		Classes: []project.Class{
			{ID: "class-1", Label: "cup", Hue: 4, Examples: []project.Example{{ID: "example-7"}, {ID: "example-8"}}},
			{ID: "class-2", Label: "mug", Hue: 1, Examples: []project.Example{{ID: "example-40"}}},
		},
	}
}
