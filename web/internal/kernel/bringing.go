package kernel

import (
	"errors"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/internal/foreign"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Bringing returns a function that imports the files of folders that the user has chosen or dropped.
// The files may still be being listed: if another project is open by then, they are not for its
// classes. A project of another program becomes a new project; otherwise each folder adds examples to
// the class of its name, as one undoable step. If all images belong to one class, they go to the class
// with the given id, unless it is "".
func (p *Project) Bringing(classID string) func([]File) {
	fill := p.filling(classID)
	return func(files []File) {
		named := ""
		if len(files) > 0 {
			named, _, _ = strings.Cut(files[0].Path, "/")
		}
		if slices.ContainsFunc(files, func(f File) bool { return !strings.HasPrefix(f.Path, named+"/") }) {
			named = ""
		}
		go p.change(func() error { return p.bring(File{Name: named}, files, fill) })
	}
}

// BringFailed reports that folders could not be read: a file, which the error names, has disappeared or
// may not be read, or an archive is damaged.
func (p *Project) BringFailed(err error) {
	notice := fileNotOpened(err.Error(), err)
	notice.Detail = "" // the title has it
	p.K.Notices.Post(notice)
}

// BringFile imports an archive like Bringing, or opens a project file.
func (p *Project) BringFile(file File, classID string) { p.openFolders(file, p.filling(classID)) }

// showFile passes the pictures of an archive to show, or opens a project file.
func (p *Project) showFile(file File, show func([]File)) {
	p.openFolders(file, func(_ *foreign.Import, files []File) error {
		show(files)
		return nil
	})
}

// openFolders opens a project file, and passes an archive of folders to take.
func (p *Project) openFolders(file File, take func(*foreign.Import, []File) error) {
	go p.change(func() error {
		if !file.isArchive() {
			return p.openFile(file)
		}
		files, err := p.store.Unpack(file)
		if err != nil {
			p.K.Notices.Post(fileNotOpened(file.Name, err))
			return nil
		}
		return p.bring(file, files, take)
	})
}

// bring opens the files in a file, or in a folder, which only has a name. It passes classes by
// folder to take.
func (p *Project) bring(file File, files []File, take func(*foreign.Import, []File) error) error {
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	found, err := foreign.Read(file.Name, paths, p.kind, func(i int) ([]byte, error) { return p.store.Text(files[i].Source) })
	switch {
	case err != nil:
	case found.Origin == foreign.Own && file.Source != nil:
		return p.openFile(file)
	case found.Origin == foreign.Own:
		err = foreign.ErrNothing
	case found.Origin == foreign.Folders:
		err = take(found, files)
	case p.OfSounds():
		err = &Error{Code: CodeOtherKind, Message: "a project of pictures"}
	default:
		err = p.adopt(found, files)
	}
	switch {
	case err == nil, CodeOf(err) == CodeStopped:
	case CodeOf(err) == CodeUnreadable:
		p.BringFailed(err)
	default:
		p.K.Notices.Post(fileNotOpened(file.Name, foreignError(err)))
	}
	return nil
}

// foreignError adds the kernel's code to an error of package foreign.
func foreignError(err error) error {
	var refused *foreign.Refused
	switch {
	case CodeOf(err) != "":
		return err
	case errors.Is(err, foreign.ErrNothing):
		return &Error{Code: CodeNoExamples, Message: err.Error()}
	case errors.Is(err, foreign.ErrTooMany):
		return &Error{Code: CodeTooMany, Message: err.Error()}
	case !errors.As(err, &refused):
		return &Error{Code: CodeBadZip, Message: err.Error()}
	case refused.Holds == foreign.Poses:
		return &Error{Code: CodePoses, Message: refused.Program}
	case refused.Holds == foreign.Sounds:
		return &Error{Code: CodeSounds, Message: refused.Program}
	}
	return &Error{Code: CodeBadProject, Message: refused.Error()}
}

// filling returns a function that adds the examples of folders to the classes of their names, or of one
// folder to the class with the given id, unless another project is open when it is called. Before the
// store is known, the classes are of the project that opens first.
func (p *Project) filling(classID string) func(*foreign.Import, []File) error {
	of := ""
	select {
	case <-p.storeKnown:
		of = p.State().ID
	default:
	}
	return func(found *foreign.Import, files []File) error {
		if of != "" && p.State().ID != of {
			return nil
		}
		brought, err := p.take(found, files, false)
		if err != nil {
			return err
		}
		if len(found.Classes) > 1 {
			classID = ""
			p.nameAfter(found.Name)
		}
		p.K.Classes.addFolders(found.Classes, brought, classID)
		p.taken(found, brought)
		return nil
	}
}

// adopt opens a project of another program as a new project.
func (p *Project) adopt(found *foreign.Import, files []File) error {
	brought, err := p.take(found, files, true)
	if err != nil {
		return err
	}
	doc := p.Fresh()
	doc.Classes, doc.Unseen = nil, slices.Concat(brought...)
	for i, class := range found.Classes {
		doc.Classes = append(doc.Classes, p.K.Classes.Described(i, class.Label, brought[i]))
	}
	if found.Name != "" {
		doc.Name = p.Unused(found.Name)
	}
	if err := p.show(doc, false); err != nil {
		return err
	}
	p.Touch()
	p.taken(found, brought)
	return nil
}

// take reads the files of an import, until StopImport is called, and returns the ids of the examples of each class. With
// fresh, they are of a new project.
func (p *Project) take(found *foreign.Import, given []File, fresh bool) (ids [][]string, err error) {
	var files []Taken
	for _, class := range found.Classes {
		own := p.K.Classes.newExamples(len(class.Files))
		for i, at := range class.Files {
			files = append(files, Taken{ID: own[i], File: given[at]})
		}
		ids = append(ids, own)
	}
	p.Update(func() { p.state.Taking, p.stopped = &Progress{0, len(files)}, false })
	err = p.store.Take(files, fresh, func(done, all int) (goesOn bool) {
		p.Update(func() { p.state.Taking, goesOn = &Progress{done, all}, !p.stopped })
		return goesOn
	})
	p.Update(func() { p.state.Taking = nil })
	return ids, err
}

// taken saves the examples of an import, with the ids of each class, and reports their number and the number of skipped
// files. Examples that turn out to be unusable do not count; if none remains, the notice disappears.
func (p *Project) taken(found *foreign.Import, brought [][]string) {
	_ = p.Flush() // a notice reports a failure
	// Say is called with the lock held.
	p.K.Notices.Post(Notice{Key: NoticeProject, Kind: Good, Say: func(t *texts.Texts) (title, text string) {
		examples, classes := 0, 0
		for _, ids := range brought {
			n := 0
			for _, id := range ids {
				if !p.K.Classes.rejected[id] {
					n++
				}
			}
			examples += n
			if n > 0 || len(ids) == 0 {
				classes++
			}
		}
		if classes == 0 {
			return "", ""
		}
		return t.Bring.Brought(examples, classes), t.Bring.LeftBehind(found.Left)
	}})
}

// StopImport stops an import while it reads files; afterwards, it removes the examples that are not
// embedded yet, and a notice offers to undo that.
func (p *Project) StopImport() {
	var unseen []string
	p.Update(func() {
		if p.stopped = p.state.Taking != nil; p.stopped {
			return
		}
		for _, class := range p.K.Classes.list {
			for _, id := range class.Examples {
				if p.K.Classes.unseen.ids[id] {
					unseen = append(unseen, id)
				}
			}
		}
	})
	if len(unseen) > 0 {
		p.K.Classes.RemoveExamples(unseen...)
		p.K.Notices.Post(p.K.undoable("", func(t *texts.Texts) string { return t.Bring.Stopped(len(unseen)) }))
	}
}

// nameAfter renames a project that still has its initial name and no examples.
func (p *Project) nameAfter(folder string) {
	if folder == "" || p.K.Classes.Examples() > 0 {
		return
	}
	name, t := p.State().Name, p.K.Texts()
	for n := range len(p.kept()) + 2 {
		if name == t.Project.Default(n+1) {
			p.Rename(p.Unused(folder))
			return
		}
	}
}
