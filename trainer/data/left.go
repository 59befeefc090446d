package data

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/internal/filekind"
	"github.com/deepemd/deepemd/internal/folders"
	"github.com/deepemd/deepemd/internal/plural"
)

// Left is a file that is left out, or a folder that cannot be read.
type Left struct {
	Name string
	Kind string // such as "a HEIC image"; empty if unknown, or for an image outside the folders of classes
}

// sift returns the images and recordings among files, by their names or contents, and the others, except lists and
// labels. It leaves out operating-system files.
func sift(src listable, files []string) (pictures []string, left []Left) {
	for _, file := range files {
		ext, kind := strings.ToLower(path.Ext(file)), ""
		picture := slices.Contains(extensions, ext)
		if folders.Hidden(file) || ext == ".csv" || ext == ".json" {
			continue
		}
		if !picture && !slices.Contains(texts, ext) {
			begin := src.head(file)
			picture = imaging.Sniff(begin) || sound.Sniff(begin)
			kind, _ = filekind.Of(begin)
		}
		if picture {
			pictures = append(pictures, file)
		} else {
			left = append(left, Left{file, kind})
		}
	}
	return pictures, left
}

// texts are the extensions of text files. A dataset may contain many, so they are not opened.
var texts = []string{".htm", ".html", ".md", ".txt", ".xml", ".yaml"}

// Instead returns the end of an error that a folder has no images: the first left file of a known kind.
func Instead(left []Left) string {
	if i := slices.IndexFunc(left, func(l Left) bool { return l.Kind != "" }); i >= 0 {
		return fmt.Sprintf(" that can be read (%s is %s)", path.Base(left[i].Name), left[i].Kind)
	}
	return ""
}

// Describe returns a line for each kind of left files that other programs convert, and one for all others.
func Describe(left []Left) (lines []string) {
	remedies, others := map[string]string{}, []string(nil)
	names := map[string][]string{}
	for _, l := range left {
		_, kind, _ := strings.Cut(l.Kind, " ")
		switch {
		case strings.HasSuffix(kind, " image"), strings.HasSuffix(kind, " raw file"):
			remedies[kind] = "JPEG, PNG or WebP"
		case strings.HasSuffix(kind, " recording") && !strings.Contains(kind, " or "):
			remedies[kind] = "MP3 or WAV"
		default:
			others = append(others, l.Name)
			continue
		}
		names[kind] = append(names[kind], l.Name)
	}
	for _, kind := range slices.Sorted(maps.Keys(names)) {
		lines = append(lines, fmt.Sprintf("left out %s to %s): %s",
			plural.Count(len(names[kind]), kind+" (convert it", kind+"s (convert them"), remedies[kind], plural.First(names[kind], 5)))
	}
	if len(others) > 0 {
		lines = append(lines, fmt.Sprintf("left out %s, or cannot be read or assigned to a class: %s",
			plural.Count(len(others), "file that is not an image, MP3 or WAV", "files that are not images, MP3 or WAV"), plural.First(others, 5)))
	}
	return lines
}
