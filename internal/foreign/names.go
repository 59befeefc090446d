package foreign

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/folders"
)

// longest is the maximum length of a name in bytes: file systems allow 255, and some programs less
// for whole paths.
const longest = 100

// device reports whether Windows reserves a name, with any extension.
func device(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), ".")
	port := strings.HasPrefix(name, "com") || strings.HasPrefix(name, "lpt")
	return slices.Contains([]string{"con", "prn", "aux", "nul"}, name) ||
		port && utf8.RuneCountInString(name) == 4 && strings.Contains("0123456789¹²³", name[3:])
}

// FolderNames returns a folder name for each label: the label as changed by FileName, and distinct
// from the others in any case. Read returns the names as labels.
func FolderNames(labels []string) []string {
	taken, last := map[string]bool{}, map[string]int{} // last is the highest number of a name
	names := make([]string, len(labels))
	for i, label := range labels {
		plain := FileName(label, "_")
		name, key := plain, strings.ToLower(plain)
		for taken[strings.ToLower(name)] {
			last[key] = max(2, last[key]+1)
			name = plain + " " + strconv.Itoa(last[key])
		}
		taken[strings.ToLower(name)] = true
		names[i] = name
	}
	return names
}

// FileName returns text as a valid file or folder name on Windows, macOS and Linux, without an
// extension, or instead if nothing remains.
func FileName(text, instead string) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>:"/\|?*`, r) || unicode.IsControl(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, text)
	name = strings.Join(strings.Fields(name), " ")
	for len(name) > longest {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	// A leading dot hides a file, and Windows drops trailing dots and spaces.
	name = strings.Trim(name, ". ")
	switch {
	case name == "":
		return instead
	case device(name) || folders.Hidden(name): // examples in a system's folder would be ignored
		return "_" + name
	}
	return name
}

// folded returns the same text for all labels that strings.EqualFold calls equal.
func folded(label string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, label)
}

// short returns a name with at most as many characters as a project allows.
func short(name string) string {
	if runes := []rune(name); len(runes) > method.MaxText {
		return string(runes[:method.MaxText])
	}
	return name
}
