// Package foreign imports classes of images from other programs: projects of Teachable Machine and
// genai-tm, and folders or archives with one folder per class. It also chooses folder names for
// exports.
//
// The package only sees file names and reads one small JSON text. The page or command opens the
// files, so both accept the same ones.
//
// The formats were derived from public projects and, for genai-tm, from its public source.
//
// # Teachable Machine
//
// "Download project as file" gives a zip archive of stored entries, named *.tm:
//
//   - "<class>-!-<n>.jpg": the images, 224×224 pixels, class after class in the order of the page, with n starting at 0. The class name is not encoded.
//   - "manifest.json", the last entry: {"type": "image", "version": "2.4.10", "appdata": {…settings of the training…}}. The type is "image", "pose" or "audio". Classes without images are not recorded.
//
// Projects of poses contain images of people too, but their models learn joints; they are rejected,
// like sound projects, which contain spectrograms.
//
// # genai-tm
//
// The archive is a *.zip of deflated entries:
//
//   - "samples/<i>_<n>.png": the n-th image of the i-th class, both starting at 0; sounds also have .pcm, .spectrogram and .json;
//   - "metadata.json": the class labels as "labels", the project name as "modelName"; "tfjsSpeechCommandsVersion" identifies sounds, and "packageName" or "poseNetArchitecture" poses and hands;
//   - "model.json", "weights.bin" and "behaviours.json": the model and its actions.
//
// # Folders
//
// The class of an image is the first folder below the root: see package folders.
package foreign

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/folders"
)

// Origin is the source of files.
type Origin int

const (
	Folders Origin = iota // one folder per class
	TeachableMachine
	GenAI
	Own // a deepemd project file, for package project/archive
)

// Import is the result of Read.
type Import struct {
	Origin  Origin
	Name    string // of the project, archive or folder; may be ""
	Classes []Class
	// Left is the number of files that are neither examples nor parts of a project.
	Left int
}

// Class is a class with its examples.
type Class struct {
	Label string // "" if unnamed
	Files []int  // indices of the paths
}

// Files returns the number of examples.
func (f *Import) Files() int {
	n := 0
	for _, c := range f.Classes {
		n += len(c.Files)
	}
	return n
}

// ErrNothing reports files without examples.
var ErrNothing = errors.New("no pictures or sounds in it: give each class a folder with its examples")

// ErrTooMany reports more examples than a project has.
var ErrTooMany = fmt.Errorf("more than %d examples in it: remove some first", project.MaxExamples)

// Refused is the error about a project whose examples cannot be imported.
type Refused struct {
	Program string // its name
	Holds   string // Poses, Sounds, or the program's type
}

// Unsupported contents of projects.
const (
	Poses  = "poses"
	Sounds = "sounds"
)

// Error names the program and the remedy.
func (r *Refused) Error() string {
	remedy := "only projects of pictures can be taken over"
	switch r.Holds {
	case Poses:
		remedy = "it knows joints and not pictures; save the samples of each class there, and bring them as folders"
	case Sounds:
		remedy = "it keeps spectrograms of its own; record the sounds here, or bring WAV or MP3 files in folders"
	}
	return fmt.Sprintf("a project of %s with %s: %s", r.Program, r.Holds, remedy)
}

// Read finds the classes in files.
//
// named is the name of the archive or folder, which is also the class of files outside of all
// folders; with two or more classes, these files are left out. paths are the paths of the files, with
// slashes, without hidden files; content reads one of them. kind is project.KindImage or
// project.KindSound and selects the examples. Names that are too long for a project are cut.
//
// # Errors
//
// *Refused; ErrNothing; ErrTooMany; more classes than a project has; a damaged project description;
// errors of content.
func Read(named string, paths []string, kind string, content func(i int) ([]byte, error)) (*Import, error) {
	found := &Import{Name: named}
	if slices.ContainsFunc(paths, func(p string) bool { return !strings.HasPrefix(p, named+"/") }) {
		found.Name = stem(named) // not the folder of all paths, so a file
	}
	paths = stripRoot(paths)
	var err error
	switch manifest, metadata := slices.Index(paths, "manifest.json"), slices.Index(paths, "metadata.json"); {
	case manifest >= 0:
		err = found.describedBy(manifest, paths, kind, content)
	case metadata >= 0 && slices.ContainsFunc(paths, isSample):
		err = found.genAI(metadata, paths, content)
	default:
		found.folders(paths, kind)
	}
	if err != nil {
		return nil, err
	}
	switch n := found.Files(); {
	case found.Origin != Own && n == 0:
		return nil, ErrNothing
	case len(found.Classes) > project.MaxClasses:
		return nil, fmt.Errorf("%d classes in it: a project has at most %d; remove some first", len(found.Classes), project.MaxClasses)
	case n > project.MaxExamples:
		return nil, ErrTooMany
	}
	found.Name = short(found.Name)
	for i, c := range found.Classes {
		found.Classes[i].Label = short(c.Label)
		slices.SortStableFunc(c.Files, func(a, b int) int { return natural(paths[a], paths[b]) })
	}
	return found, nil
}

// stripRoot removes a folder that contains all files, if it holds an unpacked or repacked project.
func stripRoot(paths []string) []string {
	for _, p := range paths {
		folder, name := path.Split(p)
		if folder == "" || strings.Count(folder, "/") > 1 || name != "manifest.json" && name != "metadata.json" {
			continue
		}
		if !slices.ContainsFunc(paths, func(p string) bool { return !strings.HasPrefix(p, folder) }) {
			inner := make([]string, len(paths))
			for i, p := range paths {
				inner[i] = p[len(folder):]
			}
			return inner
		}
	}
	return paths
}

// stem returns the name of an archive without its extension and the "(1)" of a second download.
func stem(name string) string {
	name = strings.TrimSuffix(name, path.Ext(name))
	if open := strings.LastIndexByte(name, '('); open > 0 && strings.HasSuffix(name, ")") {
		if number := name[open+1 : len(name)-1]; number != "" && digits(number) == len(number) {
			name = name[:open]
		}
	}
	return strings.TrimSpace(name)
}

// describedBy reads the manifest of Teachable Machine or deepemd. With another manifest, the files
// are folders.
func (f *Import) describedBy(manifest int, paths []string, kind string, content func(i int) ([]byte, error)) error {
	text, err := content(manifest)
	if err != nil {
		return err
	}
	var head struct {
		Format string          `json:"format"`
		Type   string          `json:"type"`
		Data   json.RawMessage `json:"appdata"`
	}
	err = json.Unmarshal(text, &head)
	samples := slices.ContainsFunc(paths, func(p string) bool { return strings.Contains(p, separator) })
	switch {
	case err == nil && head.Format == project.Format:
		f.Origin = Own
		return nil
	case err != nil && samples:
		return fmt.Errorf("its manifest.json cannot be read (%w): save the project again in Teachable Machine", err)
	case err != nil || !samples && head.Data == nil:
		f.folders(paths, kind)
		return nil
	}
	f.Origin = TeachableMachine
	switch head.Type {
	case "image":
		f.teachable(paths)
		return nil
	case "pose":
		return &Refused{"Teachable Machine", Poses}
	case "audio":
		return &Refused{"Teachable Machine", Sounds}
	}
	return &Refused{"Teachable Machine", fmt.Sprintf("examples of type %.40q", head.Type)}
}

// separator is between class and number in the names of Teachable Machine.
const separator = "-!-"

func (f *Import) teachable(paths []string) {
	add := f.adding()
	for i, p := range paths {
		if at := strings.LastIndex(p, separator); at >= 0 && isMedia(p, project.KindImage) {
			add(p[:at], i)
		} else if p != "manifest.json" {
			f.Left++
		}
	}
}

// sampleOf returns the class number of a genai-tm image; ok is false for other files.
func sampleOf(p string) (class int, ok bool) {
	name, inside := strings.CutPrefix(p, "samples/")
	if !inside || !isMedia(name, project.KindImage) {
		return 0, false
	}
	name = strings.TrimSuffix(name, path.Ext(name))
	first, second, ok := strings.Cut(name, "_")
	if !ok || first == "" || second == "" || len(first) > 6 || digits(first) < len(first) || digits(second) < len(second) {
		return 0, false
	}
	class, err := strconv.Atoi(first)
	return class, err == nil
}

func isSample(p string) bool {
	_, ok := sampleOf(p)
	return ok
}

// parts are genai-tm's other files.
var parts = []string{"metadata.json", "model.json", "weights.bin", "behaviours.json"}

func (f *Import) genAI(metadata int, paths []string, content func(i int) ([]byte, error)) error {
	text, err := content(metadata)
	if err != nil {
		return err
	}
	var about struct {
		Labels  []string        `json:"labels"`
		Model   string          `json:"modelName"`
		Package string          `json:"packageName"`
		Pose    json.RawMessage `json:"poseNetArchitecture"`
		Speech  json.RawMessage `json:"tfjsSpeechCommandsVersion"`
	}
	if err := json.Unmarshal(text, &about); err != nil {
		return fmt.Errorf("its metadata.json cannot be read (%w): save the project again in genai-tm", err)
	}
	f.Origin = GenAI
	switch {
	case about.Speech != nil:
		return &Refused{"genai-tm", Sounds}
	case about.Pose != nil || strings.HasSuffix(about.Package, "/pose") || strings.HasSuffix(about.Package, "/hand"):
		return &Refused{"genai-tm", Poses}
	}
	f.Name = cmp.Or(about.Model, f.Name)
	of := map[int][]int{}
	for i, p := range paths {
		class, ok := sampleOf(p)
		if !ok {
			if !slices.Contains(parts, p) {
				f.Left++
			}
			continue
		}
		of[class] = append(of[class], i)
	}
	// Classes without examples are kept.
	for i, label := range about.Labels {
		f.Classes = append(f.Classes, Class{Label: label, Files: of[i]})
		delete(of, i)
	}
	for _, class := range slices.Sorted(maps.Keys(of)) {
		f.Classes = append(f.Classes, Class{Files: of[class]})
	}
	return nil
}

// folders assigns classes by folder: see package folders.
func (f *Import) folders(paths []string, kind string) {
	f.Origin = Folders
	var media []string
	var at []int
	for i, p := range paths {
		if !isMedia(p, kind) {
			f.Left++
			continue
		}
		media, at = append(media, p), append(at, i)
	}
	var loose []int
	add := f.adding()
	for i, place := range folders.Places(media) {
		if place.Class == "" {
			loose = append(loose, at[i])
		} else {
			add(place.Class, at[i])
		}
	}
	if len(f.Classes) > 1 {
		f.Left += len(loose)
	} else {
		for _, file := range loose {
			add(f.Name, file)
		}
	}
	slices.SortStableFunc(f.Classes, func(a, b Class) int { return cmp.Or(natural(a.Label, b.Label), cmp.Compare(a.Label, b.Label)) })
}

// adding returns a function that adds a file to the class of a label. Labels ignore case, like file systems.
func (f *Import) adding() func(label string, file int) {
	known := map[string]int{}
	return func(label string, file int) {
		label = strings.TrimSpace(label)
		at, found := known[folded(label)]
		if !found {
			at = len(f.Classes)
			known[folded(label)] = at
			f.Classes = append(f.Classes, Class{Label: label})
		}
		f.Classes[at].Files = append(f.Classes[at].Files, file)
	}
}

// media are the file extensions of examples.
var media = map[string][]string{
	project.KindImage: {".jpg", ".jpeg", ".jfif", ".png", ".webp", ".gif", ".bmp", ".avif", ".heic"},
	project.KindSound: {".wav", ".mp3"},
}

func isMedia(p, kind string) bool {
	return slices.Contains(media[kind], strings.ToLower(path.Ext(p)))
}

// natural compares names in natural order: 2 precedes 10, and case is ignored.
func natural(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	for a != "" && b != "" {
		if n, m := digits(a), digits(b); n > 0 && m > 0 {
			x, y := strings.TrimLeft(a[:n], "0"), strings.TrimLeft(b[:m], "0")
			if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
				return c
			}
			a, b = a[n:], b[m:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits returns the number of leading digits.
func digits(text string) int {
	return len(text) - len(strings.TrimLeft(text, "0123456789"))
}
