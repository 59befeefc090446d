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
	Archive   []kernel.Entry // result of Unpack
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

func (f *Store) Projects() ([]kernel.ProjectInfo, error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	var list []kernel.ProjectInfo
	for _, id := range f.Damaged {
		if !f.Removed[id] {
			list = append(list, kernel.ProjectInfo{ID: id, Damaged: true})
		}
	}
	for id, d := range f.Kept {
		if !f.Removed[id] {
			list = append(list, kernel.ProjectInfo{ID: id, Name: d.Name, Kind: d.Kind, Classes: len(d.Classes), Examples: d.Examples(), Saved: d.Saved})
		}
	}
	slices.SortFunc(list, func(a, b kernel.ProjectInfo) int { return b.Saved.Compare(a.Saved) })
	return list, f.Fail["Projects"]
}

func (f *Store) Open(id string) (kernel.Document, error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if err := f.Fail["Open"]; err != nil {
		return kernel.Document{}, err
	}
	d, ok := f.Kept[id]
	if !ok || f.Removed[id] {
		return kernel.Document{}, &kernel.Error{Code: kernel.CodeGone, Message: "gone"}
	}
	return d, nil
}

func (f *Store) ReadFile(_ kernel.File, progress func(done, all int)) (kernel.Document, error) {
	progress(1, 2)
	return f.File, f.Fail["ReadFile"]
}

func (f *Store) Begin() {}

func (f *Store) Unpack(file kernel.File) ([]kernel.Entry, error) {
	return f.Archive, f.Fail["Unpack"]
}

func (f *Store) Text(source kernel.Source) ([]byte, error) {
	return []byte(source.(string)), f.Fail["Text"]
}

func (f *Store) Take(examples []kernel.Taken, fresh bool, progress func(done, all int) bool) error {
	if !progress(len(examples), len(examples)) {
		return &kernel.Error{Code: kernel.CodeStopped, Message: "stopped"}
	}
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if fresh {
		f.Taken = nil
	}
	f.Taken = append(f.Taken, examples...)
	return f.Fail["Take"]
}

func (f *Store) Accept(id string) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Accepted = append(f.Accepted, id)
}

func (f *Store) Save(doc kernel.Document) error {
	time.Sleep(f.Pause)
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Saves++
	if err := f.Fail["Save"]; err != nil {
		return err
	}
	f.Kept[doc.ID] = doc
	return nil
}

func (f *Store) Forget(ids []string) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Forgotten = append(f.Forgotten, ids...)
}

func (f *Store) Duplicate(id, newID, name string) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	d := f.Kept[id]
	d.ID, d.Name = newID, name
	f.Kept[newID] = d
	return nil
}

func (f *Store) Remove(id string) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Removed[id] = true
	return nil
}

func (f *Store) Retrieve(id string) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	delete(f.Removed, id)
	return nil
}

func (f *Store) WriteFile(doc kernel.Document, form kernel.Form, progress func(done, all int)) error {
	progress(doc.Examples(), doc.Examples())
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Written = append(f.Written, form)
	return f.Fail["WriteFile"]
}

func (f *Store) Send() error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Sent++
	return f.Fail["Send"]
}

// Doc returns a saved document.
func (f *Store) Doc(id string) kernel.Document {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return f.Kept[id]
}

// Cups returns a document of an earlier visit.
func Cups() kernel.Document {
	return kernel.Document{ID: "project-cups", Manifest: project.Manifest{
		Kind: project.KindImage, Name: "Cups", Saved: time.Unix(1000, 0),
		Classes: []project.Class{
			{ID: "class-1", Label: "cup", Hue: 4, Examples: []project.Example{{ID: "example-7"}, {ID: "example-8"}}},
			{ID: "class-2", Label: "mug", Hue: 1, Examples: []project.Example{{ID: "example-40"}}},
		},
	}}
}
