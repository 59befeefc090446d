package release

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

var (
	// goCommands are the commands of documents that name a package of this project.
	goCommands = regexp.MustCompile(`go (?:test|run|build) [^` + "`" + `\n|]*\./[^` + "`" + `\n|]*`)
	// makeCommands are those of the Makefile.
	makeCommands = regexp.MustCompile("(?m)(?:`|^    )make ([a-z-]+)")
)

// TestCommandsExist asserts that the commands in the project's documents name
// packages, tests, benchmarks and targets of make that exist: a figure whose
// command is gone cannot be measured again.
func TestCommandsExist(t *testing.T) {
	targets := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^([a-z-]+):`).FindAllStringSubmatch(string(read(t, "Makefile")), -1) {
		targets[match[1]] = true
	}
	commands := 0
	for _, name := range tracked(t) {
		if path.Ext(name) != ".md" {
			continue
		}
		text := string(read(t, name))
		for _, command := range goCommands.FindAllString(text, -1) {
			checkCommand(t, name, command)
			commands++
		}
		for _, match := range makeCommands.FindAllStringSubmatch(text, -1) {
			if !targets[match[1]] {
				t.Errorf("%s: the Makefile has no target %s", name, match[1])
			}
			commands++
		}
	}
	if commands < 20 {
		t.Errorf("only %d commands found in the documents", commands)
	}
}

// checkCommand checks the package of a command, and the test or benchmark that it
// asks for.
func checkCommand(t *testing.T, document, command string) {
	t.Helper()
	words := strings.Fields(command)
	folder := ""
	for _, word := range words {
		if below, ok := strings.CutPrefix(word, "./"); ok {
			folder = strings.TrimSuffix(below, "/...")
		}
	}
	if folder == "..." {
		return
	}
	sources, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*.go"))
	if err != nil || len(sources) == 0 && !strings.Contains(command, "...") {
		t.Errorf("%s: %q names no package", document, command)
		return
	}
	var code strings.Builder
	for _, source := range sources {
		data := require.Value(os.ReadFile(source))(t)
		code.Write(data)
	}
	for i, word := range words[:len(words)-1] {
		asked, kind := strings.Trim(words[i+1], "'^$"), ""
		switch word {
		case "-run":
			kind = "Test"
		case "-bench":
			kind = "Benchmark"
		}
		asked, _, _ = strings.Cut(asked, "/")
		if kind == "" || asked == "-" || asked == "" || asked == "." {
			continue
		}
		if !regexp.MustCompile(`(?m)^func ` + kind + `\w*` + strings.TrimPrefix(asked, kind)).MatchString(code.String()) {
			t.Errorf("%s: %q asks for %s, which %s does not have", document, command, asked, folder)
		}
	}
}
