package data

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/folders"
	"github.com/deepemd/deepemd/internal/foreign"
	"github.com/deepemd/deepemd/internal/namedfile"
)

// Examples are the pictures or recordings from which a person has classes learned:
// folders of them, a class each. Open it with [OpenExamples] and close it.
type Examples struct {
	Classes []ExampleClass // by name
	Left    []string       // folders that cannot be read, and files that are neither pictures nor recordings
	name    string         // of the folder or archive
	source  listable
}

// ExampleClass is one class of [Examples].
type ExampleClass struct {
	Name  string
	Files []string // at least one, by name; their paths in the folder or archive, with slashes
}

// OpenExamples lists the examples in a folder or zip archive. Classes are folders, as in
// every other set of the project (see [OpenSplit]). Files in no folder are passed over, and
// those that systems leave behind. All others that are pictures or recordings, by their ending
// or else by their content, are examples.
//
// A project of another program that package foreign knows, as an archive or unpacked, has
// its classes in its own order, "class 3" for one without a name.
//
// # Errors
//
// A path that is neither folder nor zip archive, one without a folder of files, and a
// class's folder on disk that is empty; a project whose examples cannot be taken over.
func OpenExamples(name string) (*Examples, error) {
	src, err := openSource(name)
	if err != nil {
		return nil, err
	}
	e := &Examples{name: name, source: src}
	if err := e.list(); err != nil {
		return nil, errors.Join(err, src.close())
	}
	return e, nil
}

// list finds out the classes.
func (e *Examples) list() error {
	files, unreadable, err := e.source.list()
	if err != nil {
		return err
	}
	slices.Sort(files)
	if known, err := e.foreign(files); known || err != nil {
		return err
	}
	at := map[string]int{}
	e.Left = unreadable
	files = slices.DeleteFunc(files, folders.Hidden)
	files = slices.DeleteFunc(files, func(file string) bool {
		example := isPicture(file) || looksLikePicture(e.source, file)
		if !example {
			e.Left = append(e.Left, file)
		}
		return !example
	})
	for f, place := range folders.Places(composed(files)) {
		file, class := files[f], place.Class
		if class == "" {
			continue
		}
		i, known := at[class]
		if !known {
			i = len(e.Classes)
			at[class] = i
			e.Classes = append(e.Classes, ExampleClass{Name: class})
		}
		e.Classes[i].Files = append(e.Classes[i].Files, file)
	}
	slices.SortFunc(e.Classes, func(a, b ExampleClass) int { return cmp.Compare(a.Name, b.Name) })
	if err := e.none(files); err != nil {
		return err
	}
	if len(e.Classes) == 0 {
		return fmt.Errorf("%s: no sub-folders: put the examples of each class into a folder of its name", e.name)
	}
	return nil
}

// foreign finds out the classes of a project of another program; known is false where
// the files are none.
func (e *Examples) foreign(files []string) (known bool, err error) {
	found, err := foreign.Read(e.name, files, project.KindImage, func(i int) ([]byte, error) { return e.source.read(files[i]) })
	switch {
	case errors.Is(err, foreign.ErrNothing):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("%s: %w", e.name, err)
	case found.Origin == foreign.Folders:
		return false, nil
	case found.Origin == foreign.Own:
		return false, fmt.Errorf("%s: a project file of deepemd: name it with --project", e.name)
	}
	for i, c := range found.Classes {
		class := ExampleClass{Name: cmp.Or(c.Label, fmt.Sprintf("class %d", i+1))}
		for _, file := range c.Files {
			class.Files = append(class.Files, files[file])
		}
		if len(class.Files) > 0 {
			e.Classes = append(e.Classes, class)
		}
	}
	return true, nil
}

// none returns an error for a folder on disk, next below the given one, that holds no
// file at all.
func (e *Examples) none(files []string) error {
	if _, onDisk := e.source.(folder); !onDisk {
		return nil // an archive has no empty folders that anyone meant
	}
	entries, err := os.ReadDir(e.name)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !entry.IsDir() || folders.Hidden(entry.Name()) {
			continue
		}
		holds := func(file string) bool { return !folders.Hidden(file) && within(file, entry.Name()) }
		if !slices.ContainsFunc(files, holds) {
			return fmt.Errorf("%s: the class has no pictures: add one or remove the folder", filepath.Join(e.name, entry.Name()))
		}
	}
	return nil
}

// within reports whether a file lies in or below a folder.
func within(file, folder string) bool {
	return len(file) > len(folder) && file[len(folder)] == '/' && file[:len(folder)] == folder
}

// Path is what a file of a class is called for people: its path on disk, or in the
// archive.
func (e *Examples) Path(file string) string {
	return filepath.Join(e.name, filepath.FromSlash(file))
}

// Read returns the bytes of a file of a class. Errors name the file.
func (e *Examples) Read(file string) ([]byte, error) {
	raw, err := e.source.read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Path(file), err)
	}
	return raw, nil
}

// Close releases the archive.
func (e *Examples) Close() error { return e.source.close() }

// Files lists the files of a folder and of those below it by name, without those that
// systems leave behind, whatever their ending; of a file, the file.
//
// It returns an error where there is neither.
func Files(name string) ([]string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, namedfile.Explain(err)
	}
	if !info.IsDir() {
		return []string{name}, nil
	}
	files, _, err := folder(name).list()
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, file := range files {
		if !folders.Hidden(file) {
			paths = append(paths, filepath.Join(name, filepath.FromSlash(file)))
		}
	}
	slices.Sort(paths)
	return paths, nil
}
