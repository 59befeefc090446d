package data

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/folders"
	"github.com/deepemd/deepemd/internal/foreign"
	"github.com/deepemd/deepemd/internal/namedfile"
)

// Examples are folders of images or recordings to learn classes from, one folder per class.
type Examples struct {
	Classes []ExampleClass // by name
	Left    []Left         // unreadable folders, and files that are neither images nor recordings
	name    string         // of the folder or archive
	source  listable
}

// ExampleClass is one class of [Examples].
type ExampleClass struct {
	Name  string
	Files []string // sorted paths within the folder or archive, with slashes
}

// OpenExamples lists the examples in a folder or zip archive. Classes are folders, as in every
// other dataset (see [OpenSplit]). It ignores files outside any folder and operating-system files.
// A file is an example if its name or its content identifies an image or a recording.
//
// It also reads projects of other programs (see package foreign), packed or unpacked. Their classes
// keep their order; a class without a name is called "class 3".
//
// # Errors
//
// A path that is neither a folder nor a zip archive; no folder with files; an empty folder of a
// class on disk; a project with unusable examples. Close the result.
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
	files, e.Left = sift(e.source, files)
	e.Left = slices.Concat(unreadable, e.Left)
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
		return fmt.Errorf("%s: no subfolders: put the examples of each class into a folder of its name", e.name)
	}
	return nil
}

// foreign reads the classes of another program's project. known reports whether the files are one.
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

// none returns an error if a folder on disk, directly in the given one, contains no file.
func (e *Examples) none(files []string) error {
	if _, onDisk := e.source.(folder); !onDisk {
		return nil // empty folders of an archive have no meaning
	}
	entries, err := os.ReadDir(e.name)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !entry.IsDir() || folders.Hidden(entry.Name()) {
			continue
		}
		inside := entry.Name() + "/"
		if !slices.ContainsFunc(files, func(file string) bool { return strings.HasPrefix(file, inside) }) {
			others := func(l Left) bool {
				return !strings.HasPrefix(l.Name, inside) && !strings.HasPrefix(l.Name, entry.Name()+" (")
			}
			return fmt.Errorf("%s: the class has no images or recordings%s: add one or remove the folder", filepath.Join(e.name, entry.Name()),
				Instead(slices.DeleteFunc(slices.Clone(e.Left), others)))
		}
	}
	return nil
}

// Path returns the path of a file on disk or in the archive, for messages.
func (e *Examples) Path(file string) string {
	return filepath.Join(e.name, filepath.FromSlash(file))
}

// Read returns the content of a file. Errors name the file.
func (e *Examples) Read(file string) ([]byte, error) {
	raw, err := e.source.read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Path(file), err)
	}
	return raw, nil
}

// Close releases the archive.
func (e *Examples) Close() error { return e.source.close() }

// Files lists the images and recordings in a folder and below it by name. left are the other files, except
// operating-system files, and the folders that cannot be read. If name is a file, it returns that file. A name with * or ? that
// does not exist is a pattern, for shells that do not expand it. It returns an error if nothing has the name.
func Files(name string) (paths []string, left []Left, err error) {
	names, argument := []string{name}, name
	if _, err := os.Stat(name); err != nil && strings.ContainsAny(name, "*?") {
		// A bracket stands for itself, because names such as "cup [1]" are frequent.
		names, err = filepath.Glob(strings.ReplaceAll(name, "[", "[[]"))
		names = slices.DeleteFunc(names, func(name string) bool { return folders.Hidden(filepath.Base(name)) })
		if err != nil || len(names) == 0 {
			return nil, nil, fmt.Errorf("%s: no file matches: is the path right?", name)
		}
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil && name == argument {
			return nil, nil, namedfile.Explain(err)
		}
		if err != nil || !info.IsDir() { // of a pattern, also a link to a deleted file
			paths = append(paths, name)
			continue
		}
		files, unreadable, err := folder(name).list()
		if err != nil {
			return nil, nil, err
		}
		slices.Sort(files)
		pictures, others := sift(folder(name), files)
		for _, file := range pictures {
			paths = append(paths, filepath.Join(name, filepath.FromSlash(file)))
		}
		for _, l := range slices.Concat(unreadable, others) {
			left = append(left, Left{filepath.Join(name, filepath.FromSlash(l.Name)), l.Kind})
		}
	}
	return paths, left, nil
}
