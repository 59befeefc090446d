package foreign

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longest is how many bytes a name has at most: file systems take 255, and some programs
// less for whole paths.
const longest = 100

// device reports whether Windows keeps a name for itself, with any ending.
func device(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), ".")
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}
	number, port := strings.CutPrefix(name, "com")
	if !port {
		number, port = strings.CutPrefix(name, "lpt")
	}
	return port && utf8.RuneCountInString(number) == 1 && strings.Contains("0123456789¹²³", number)
}

// FolderNames returns a name for the folder of each label: the label itself, but for what
// FileName changes. No two are alike, also where case does not count. Read takes them for
// the labels again.
func FolderNames(labels []string) []string {
	taken := map[string]bool{}
	names := make([]string, len(labels))
	for i, label := range labels {
		name := FileName(label, "_")
		for n := 2; taken[strings.ToLower(name)]; n++ {
			name = FileName(label, "_") + " " + strconv.Itoa(n)
		}
		taken[strings.ToLower(name)] = true
		names[i] = name
	}
	return names
}

// FileName is text as the file systems of Windows, macOS and Linux take it for the name of
// a file or folder, without an ending; instead where nothing of it is left.
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
	// A dot first hides a file, and Windows drops dots and spaces at the end.
	name = strings.Trim(name, ". ")
	switch {
	case name == "":
		return instead
	case device(name) || system[strings.ToLower(name)]:
		return "_" + name
	}
	return name
}

// system are folders of systems: nobody looks for examples there.
var system = map[string]bool{"__macosx": true, "$recycle.bin": true, "system volume information": true}
