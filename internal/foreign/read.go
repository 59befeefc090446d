// Package foreign finds classes of pictures in what other programs leave: projects of
// Teachable Machine and of genai-tm, and folders, or archives of them, with a folder of
// pictures for each class. It also names such folders, for the way out.
//
// It sees names, and reads one small JSON text: whoever has the files opens them, a page
// or a command. So both take the same files, and take them for the same.
//
// What is known of the formats was read off public projects and, for genai-tm, off its
// public source.
//
// # Teachable Machine
//
// "Download project as file" gives a zip archive of stored entries, named *.tm:
//
//   - "<class>-!-<n>.jpg": the pictures, squares of 224 pixels, class after class in the
//     order of the page, n from 0 on. The class stands there as its author wrote it.
//   - "manifest.json", the last entry: {"type": "image", "version": "2.4.10", "appdata":
//     {…settings of the training…}}. The type is "image", "pose" or "audio". It names no
//     classes: one without pictures leaves no trace.
//
// A project of poses holds pictures of people too, but what it learned are the joints in
// them; it is refused, as one of sounds is, which holds spectrograms of its own making.
//
// # genai-tm
//
// Its archive is a *.zip of deflated entries:
//
//   - "samples/<i>_<n>.png": the n-th picture of the i-th class, both from 0 on; of a
//     sound also .pcm, .spectrogram and .json;
//   - "metadata.json": the labels of the classes as "labels", the name of the project as
//     "modelName"; one of sounds has "tfjsSpeechCommandsVersion", those of poses and of
//     hands are told by "packageName" or "poseNetArchitecture";
//   - "model.json", "weights.bin" and "behaviours.json": the model and what it sets off.
//
// # Folders
//
// A picture belongs to the class that the first folder below the root names: see package folders.
package foreign

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/folders"
)

// Origin is where files come from.
type Origin int

// The origins.
const (
	Folders          Origin = iota // a folder for each class
	TeachableMachine               // a project of Teachable Machine
	GenAI                          // a project of genai-tm
	Own                            // a project file of deepemd: package project/archive reads it
)

// Found are the classes in an archive or a folder.
type Found struct {
	Origin  Origin
	Name    string // of the project, or of the archive or folder; may be ""
	Classes []Class
	// Left counts the files that are no examples and no part of a project either: they
	// stay behind.
	Left int
}

// Class is a class with its examples.
type Class struct {
	Label string // "" where nobody has named it
	Files []int  // by their places among the paths
}

// Files counts the examples of all classes.
func (f *Found) Files() int {
	n := 0
	for _, c := range f.Classes {
		n += len(c.Files)
	}
	return n
}

// ErrNothing is of files among which is no example.
var ErrNothing = errors.New("no pictures or sounds in it: give each class a folder with its examples")

// Refused is the error about a project of another program whose examples cannot be taken
// over.
type Refused struct {
	Program string // its name
	Holds   string // Poses, Sounds, or the program's own word
}

// What projects hold that cannot be taken over.
const (
	Poses  = "poses"
	Sounds = "sounds"
)

// Error names program and remedy.
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
// named is what the archive or folder is called; its name stands for the class of files
// that lie in no folder. paths are those of the files, with slashes, without hidden ones;
// content reads one of them. kind is project.KindImage or project.KindSound: the files
// that are examples.
//
// # Errors
//
// *Refused; ErrNothing; a damaged description of a project; those of content.
func Read(named string, paths []string, kind string, content func(i int) ([]byte, error)) (*Found, error) {
	paths = below(paths)
	found := &Found{Name: stem(named)}
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
	if found.Origin != Own && found.Files() == 0 {
		return nil, ErrNothing
	}
	return found, nil
}

// below takes off the one folder that everything lies in, if that holds a project which
// somebody has unpacked, or packed again.
func below(paths []string) []string {
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

// stem is a file's name without folders, ending, and the "(1)" of a second download.
func stem(name string) string {
	name = path.Base("/" + strings.ReplaceAll(name, `\`, "/"))
	if dot := strings.LastIndexByte(name, '.'); dot > 0 && len(name)-dot <= 8 && !strings.Contains(name[dot:], " ") {
		name = name[:dot]
	}
	if open := strings.LastIndexByte(name, '('); open > 0 && strings.HasSuffix(name, ")") {
		if number := name[open+1 : len(name)-1]; number != "" && digits(number) == len(number) {
			name = name[:open]
		}
	}
	return strings.Trim(name, "/ ")
}

// describedBy reads the manifest of Teachable Machine or deepemd; files with another are
// folders.
func (f *Found) describedBy(manifest int, paths []string, kind string, content func(i int) ([]byte, error)) error {
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
		return fmt.Errorf("its manifest.json cannot be read (%w): save the project once more in Teachable Machine", err)
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

// separator stands between class and number in the names of Teachable Machine.
const separator = "-!-"

func (f *Found) teachable(paths []string) {
	for i, p := range paths {
		if at := strings.LastIndex(p, separator); at >= 0 && isMedia(p, project.KindImage) {
			f.add(p[:at], i)
		} else if p != "manifest.json" {
			f.Left++
		}
	}
	for _, c := range f.Classes {
		slices.SortStableFunc(c.Files, func(a, b int) int { return natural(paths[a], paths[b]) })
	}
}

// sampleOf is the number of the class that a picture of genai-tm belongs to; ok is false for
// other files.
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

// parts are the other files of genai-tm.
var parts = []string{"metadata.json", "model.json", "weights.bin", "behaviours.json"}

func (f *Found) genAI(metadata int, paths []string, content func(i int) ([]byte, error)) error {
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
		return fmt.Errorf("its metadata.json cannot be read (%w): save the project once more in genai-tm", err)
	}
	f.Origin = GenAI
	switch {
	case about.Speech != nil:
		return &Refused{"genai-tm", Sounds}
	case about.Pose != nil || strings.HasSuffix(about.Package, "/pose") || strings.HasSuffix(about.Package, "/hand"):
		return &Refused{"genai-tm", Poses}
	}
	if about.Model != "" {
		f.Name = about.Model
	}
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
	// Classes without examples are kept: their authors had a use for them.
	for i, label := range about.Labels {
		f.Classes = append(f.Classes, Class{Label: label, Files: of[i]})
		delete(of, i)
	}
	rest := make([]int, 0, len(of))
	for class := range of {
		rest = append(rest, class)
	}
	slices.Sort(rest)
	for _, class := range rest {
		f.Classes = append(f.Classes, Class{Files: of[class]})
	}
	for _, c := range f.Classes {
		slices.SortStableFunc(c.Files, func(a, b int) int { return natural(paths[a], paths[b]) })
	}
	return nil
}

// folders finds the classes by their folders: see package folders.
func (f *Found) folders(paths []string, kind string) {
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
	for i, place := range folders.Places(media) {
		f.add(cmp.Or(place.Class, f.Name), at[i])
	}
	for _, c := range f.Classes {
		slices.SortStableFunc(c.Files, func(a, b int) int { return natural(paths[a], paths[b]) })
	}
	slices.SortStableFunc(f.Classes, func(a, b Class) int { return cmp.Or(natural(a.Label, b.Label), cmp.Compare(a.Label, b.Label)) })
}

// add adds a file to a class; case tells no classes apart, as on the disks that folders
// come from.
func (f *Found) add(label string, file int) {
	label = strings.TrimSpace(label)
	at := slices.IndexFunc(f.Classes, func(c Class) bool { return strings.EqualFold(c.Label, label) })
	if at < 0 {
		at = len(f.Classes)
		f.Classes = append(f.Classes, Class{Label: label})
	}
	f.Classes[at].Files = append(f.Classes[at].Files, file)
}

// media are the endings of examples' names, by the kind of project.
var media = map[string][]string{
	project.KindImage: {".jpg", ".jpeg", ".jfif", ".png", ".webp", ".gif", ".bmp", ".avif", ".heic"},
	project.KindSound: {".wav", ".mp3"},
}

func isMedia(p, kind string) bool {
	return slices.Contains(media[kind], strings.ToLower(path.Ext(p)))
}

// natural compares names as people sort them: 2 comes before 10, and case counts little.
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

// digits counts the digits that text begins with.
func digits(text string) int {
	return len(text) - len(strings.TrimLeft(text, "0123456789"))
}
