package data

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/deepemd/deepemd/internal/folders"
	"github.com/deepemd/deepemd/internal/namedfile"
	"github.com/deepemd/deepemd/internal/plural"
)

// listing is a split that names every image, like miniImageNet's (Ravi and Larochelle): CSV files
// with lines "filename,label", one file per part; see newReader for other separators.
type listing struct {
	name string // of the file or folder, for errors
	rows []listRow
}

type listRow struct {
	file, class, part string
	where             string // file and line, for errors
}

// Names of the columns.
var (
	fileColumn  = []string{"filename", "file", "image", "path", "name"}
	classColumn = []string{"label", "class", "wnid"}
	partColumn  = []string{"split", "set", "part", "subset"}
)

// readListing reads a split that names every image: a CSV file, or a folder with train.csv, val.csv
// and test.csv; see listing.read.
func readListing(name string) (*listing, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, namedfile.Explain(err)
	}
	files := []string{name}
	if info.IsDir() {
		files, _ = fs.Glob(os.DirFS(name), "*.csv") // the pattern is well formed
		files = slices.DeleteFunc(files, func(f string) bool { return folders.Part(stemOf(f)) == "" })
		if len(files) == 0 {
			return nil, fmt.Errorf("%s: no train.csv, val.csv or test.csv in this folder: give the folder that has them", name)
		}
		for i, file := range files {
			files[i] = filepath.Join(name, file)
		}
	}
	texts := make(map[string][]byte, len(files))
	for _, file := range files {
		if texts[filepath.Base(file)], err = namedfile.Read(file, namedfile.MaxText); err != nil {
			return nil, err
		}
	}
	return parseListing(filepath.Base(name), texts)
}

// stemOf returns a file name without folders and extension.
func stemOf(file string) string {
	base := path.Base(filepath.ToSlash(file))
	return strings.TrimSuffix(base, path.Ext(base))
}

// parseListing reads the CSV files of a split. texts has their contents by file name.
func parseListing(name string, texts map[string][]byte) (*listing, error) {
	l := &listing{name: name}
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		if err := l.read(file, texts[file]); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// read adds a CSV file of lines "filename,label". If the first line names no image, it has
// the names of the columns (filename, label, and optionally split), in any order and among others.
// The column split, or the name of the file (train.csv), determines the part of an image. Every
// error begins with name.
//
// # Errors
//
// Missing columns; an unknown part; an empty field; no image at all.
func (l *listing) read(name string, raw []byte) error {
	before, r := len(l.rows), newReader(raw)
	columns := columns{file: 0, class: 1, part: -1}
	for first := true; ; first = false {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf(`%s: not a list of images ("filename,label"): %w`, name, err)
		}
		line, _ := r.FieldPos(0)
		where := fmt.Sprintf("%s, line %d", name, line)
		if first && !namesPicture(fields) {
			if columns, err = namedColumns(fields); err != nil {
				return fmt.Errorf("%s: %w", where, err)
			}
			continue
		}
		row, err := columns.row(fields)
		if err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
		row.where = where
		if row.part == "" {
			if row.part = folders.Part(stemOf(name)); row.part == "" {
				return fmt.Errorf("%s: its part is unknown: name the file train.csv, val.csv or test.csv, or add a column split", where)
			}
		}
		l.rows = append(l.rows, row)
	}
	if len(l.rows) == before {
		return fmt.Errorf("%s: no images in this list", name)
	}
	return nil
}

// newReader reads lines of commas, tabs or semicolons, which spreadsheets write where decimals have commas.
func newReader(raw []byte) *csv.Reader {
	raw = namedfile.WithoutMark(raw)
	r := csv.NewReader(bytes.NewReader(raw))
	r.FieldsPerRecord, r.ReuseRecord = -1, true
	first, _, _ := bytes.Cut(raw, []byte("\n"))
	for _, separator := range ";\t" {
		if bytes.ContainsRune(first, separator) && !bytes.ContainsRune(first, ',') {
			r.Comma = separator
		}
	}
	r.TrimLeadingSpace = r.Comma != '\t'
	return r
}

// isListing reports whether the first line of a CSV file is one of a list of images.
func isListing(raw []byte) bool {
	fields, err := newReader(raw).Read()
	if err != nil {
		return false
	}
	_, err = namedColumns(fields)
	return err == nil || namesPicture(fields)
}

func namesPicture(fields []string) bool {
	return slices.ContainsFunc(fields, func(f string) bool { return isPicture(strings.TrimSpace(f)) })
}

// columns are the indexes of the columns; part may be −1.
type columns struct{ file, class, part int }

func namedColumns(names []string) (columns, error) {
	find := func(of []string) int {
		return slices.IndexFunc(names, func(n string) bool { return slices.Contains(of, strings.ToLower(strings.TrimSpace(n))) })
	}
	c := columns{find(fileColumn), find(classColumn), find(partColumn)}
	if c.file < 0 || c.class < 0 {
		return c, fmt.Errorf("the columns are %.60q: want filename and label", names)
	}
	return c, nil
}

func (c columns) row(fields []string) (listRow, error) {
	field := func(i int) string {
		if i < 0 || i >= len(fields) {
			return ""
		}
		return strings.TrimSpace(fields[i])
	}
	row := listRow{file: path.Clean(strings.ReplaceAll(field(c.file), `\`, "/")), class: field(c.class)}
	if field(c.file) == "" || row.class == "" {
		return row, fmt.Errorf("%.60q: want an image's file name and its class", fields)
	}
	if said := field(c.part); said != "" {
		if row.part = folders.Part(said); row.part == "" {
			return row, fmt.Errorf("no part %.40q: want train, val or test", said)
		}
	}
	return row, nil
}

// split returns the parts of the classes. It returns an error for a class in two parts.
func (l *listing) split() (*Split, error) {
	s, listed := &Split{name: l.name}, make(map[string]listRow)
	for _, row := range l.rows {
		other := listed[row.class]
		if other.part != "" && other.part != row.part {
			return nil, fmt.Errorf("%s: class %.40q is in %s and, according to %s, in %s: want it in one part", row.where, row.class, row.part, other.where, other.part)
		}
		listed[row.class] = row
		classes := s.part(row.part)
		*classes = append(*classes, row.class)
	}
	s.sort()
	return s, nil
}

// resolve finds the listed images among the files of a dataset. It compares paths, then the last
// parts of paths and, if several files have the same name, the folder of the class. Extensions may
// differ (.jpg for .JPEG). It returns an error for absent and ambiguous images, and for an image that is
// listed twice.
func (l *listing) resolve(files []string) ([]Picture, error) {
	byBase, names := make(map[string][]int, len(files)), composed(files)
	for i, name := range names {
		base := path.Base(stem(name))
		byBase[base] = append(byBase[base], i)
	}
	pictures, absent := make([]Picture, 0, len(l.rows)), []string(nil)
	listed := make(map[string]string, len(l.rows)) // where each image is
	for _, row := range l.rows {
		found := row.among(names, byBase[path.Base(stem(norm.NFC.String(row.file)))])
		switch len(found) {
		case 1:
			file := files[found[0]]
			if other, twice := listed[file]; twice {
				return nil, fmt.Errorf("%s: image %.60q is in %s as well: remove one of the lines", row.where, row.file, other)
			}
			listed[file] = row.where
			pictures = append(pictures, Picture{Class: row.class, Name: file})
		case 0:
			absent = append(absent, fmt.Sprintf("%s (%s)", row.file, row.where))
		default:
			return nil, fmt.Errorf("%s: %s may be %s or %s: give its full path", row.where, row.file, files[found[0]], files[found[1]])
		}
	}
	if len(absent) > 0 {
		return nil, fmt.Errorf("the data lacks %d of %s in %s: %s: complete the data, or remove these lines",
			len(absent), plural.Count(len(l.rows), "image", "images"), l.name, plural.First(absent, 5))
	}
	return pictures, nil
}

// among returns the indexes of the names that agree best with a row, among those at the given indexes, which
// have its base name.
func (row listRow) among(names []string, at []int) []int {
	best, found := 0, []int(nil)
	for _, i := range at {
		agrees := row.agreement(names[i])
		if agrees > best {
			best, found = agrees, nil
		}
		if agrees == best && best > 0 {
			found = append(found, i)
		}
	}
	return found
}

// agreement rates how well a file, named as by composed, matches the row; 0 means not at all.
func (row listRow) agreement(file string) int {
	listed := norm.NFC.String(row.file)
	want, have := stem(listed), stem(file)
	bare := !strings.Contains(want, "/")
	switch {
	case file == listed:
		return 5
	case have == want:
		return 4
	case !bare && strings.HasSuffix(have, "/"+want), strings.HasSuffix(want, "/"+have):
		return 3
	case path.Base(path.Dir(file)) == norm.NFC.String(row.class):
		return 2
	case bare:
		return 1
	}
	return 0
}
