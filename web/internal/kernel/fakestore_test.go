package kernel

import (
	"slices"
	"sync"
	"time"
)

// fakeStore keeps documents in memory.
type fakeStore struct {
	mu        sync.Mutex
	kept      map[string]Document
	removed   map[string]bool
	damaged   []string // ids of projects that cannot be opened
	saves     int
	accepted  []string
	file      Document // what ReadFile returns
	sent      int
	archive   []Entry // what Unpack returns
	taken     []Taken
	written   []Form
	forgotten []string
	fail      map[string]error // by the call's name
	pause     time.Duration    // of a save
}

func newFakeStore(docs ...Document) *fakeStore {
	f := &fakeStore{kept: map[string]Document{}, removed: map[string]bool{}, fail: map[string]error{}}
	for _, d := range docs {
		f.kept[d.ID] = d
	}
	return f
}

func (f *fakeStore) Projects() ([]ProjectInfo, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []ProjectInfo
	for _, id := range f.damaged {
		if !f.removed[id] {
			list = append(list, ProjectInfo{ID: id, Damaged: true})
		}
	}
	for id, d := range f.kept {
		if !f.removed[id] {
			list = append(list, ProjectInfo{ID: id, Name: d.Name, Kind: d.Kind, Classes: len(d.Classes), Examples: d.Examples(), Saved: d.Saved})
		}
	}
	slices.SortFunc(list, func(a, b ProjectInfo) int { return b.Saved.Compare(a.Saved) })
	return list, f.fail["Projects"]
}

func (f *fakeStore) Open(id string) (Document, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.fail["Open"]; err != nil {
		return Document{}, err
	}
	d, ok := f.kept[id]
	if !ok || f.removed[id] {
		return Document{}, &Error{Code: CodeGone, Message: "gone"}
	}
	return d, nil
}

func (f *fakeStore) ReadFile(_ File, progress func(done, all int)) (Document, error) {
	progress(1, 2)
	return f.file, f.fail["ReadFile"]
}

func (f *fakeStore) Begin() {}

func (f *fakeStore) Unpack(file File) ([]Entry, error) {
	return f.archive, f.fail["Unpack"]
}

func (f *fakeStore) Text(source Source) ([]byte, error) {
	return []byte(source.(string)), f.fail["Text"]
}

func (f *fakeStore) Take(examples []Taken, fresh bool, progress func(done, all int)) error {
	progress(len(examples), len(examples))
	f.mu.Lock()
	defer f.mu.Unlock()
	if fresh {
		f.taken = nil
	}
	f.taken = append(f.taken, examples...)
	return f.fail["Take"]
}

func (f *fakeStore) Accept(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.accepted = append(f.accepted, id)
}

func (f *fakeStore) Save(doc Document) error {
	time.Sleep(f.pause)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.saves++
	if err := f.fail["Save"]; err != nil {
		return err
	}
	f.kept[doc.ID] = doc
	return nil
}

func (f *fakeStore) Forget(ids []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.forgotten = append(f.forgotten, ids...)
}

func (f *fakeStore) Duplicate(id, newID, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	d := f.kept[id]
	d.ID, d.Name = newID, name
	f.kept[newID] = d
	return nil
}

func (f *fakeStore) Remove(id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.removed[id] = true
	return nil
}

func (f *fakeStore) Retrieve(id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.removed, id)
	return nil
}

func (f *fakeStore) WriteFile(doc Document, form Form, progress func(done, all int)) error {
	progress(doc.Examples(), doc.Examples())
	f.mu.Lock()
	defer f.mu.Unlock()
	f.written = append(f.written, form)
	return f.fail["WriteFile"]
}

func (f *fakeStore) Send() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent++
	return f.fail["Send"]
}

// doc returns what is kept of a project.
func (f *fakeStore) doc(id string) Document {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kept[id]
}
