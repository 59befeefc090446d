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
	// goCommands are commands that name a package of this project. Texts in quotes may have bars.
	goCommands = regexp.MustCompile(`go (?:test|run|build|vet) (?:'[^'\n]*'|[^` + "`" + `\n|'])*\./(?:'[^'\n]*'|[^` + "`" + `\n|'])*`)
	// makeCommands matches commands of the Makefile.
	makeCommands = regexp.MustCompile("(?m)(?:`|^    )make ([a-z-]+)")
)

// TestCommandsExist asserts that the commands in the Makefile and in the project's
// documents name packages, tests, benchmarks and targets of make that exist: a figure
// whose command is gone cannot be measured again.
func TestCommandsExist(t *testing.T) {
	targets := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^([a-z-]+):`).FindAllStringSubmatch(string(read(t, "Makefile")), -1) {
		targets[match[1]] = true
	}
	commands := 0
	for _, name := range tracked(t) {
		if path.Ext(name) != ".md" && name != "Makefile" {
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

// checkCommand checks the packages of a command, and the tests or benchmarks that it
// asks for.
func checkCommand(t *testing.T, document, command string) {
	t.Helper()
	words := strings.Fields(command)
	var code strings.Builder
	for _, word := range words {
		folder, ok := strings.CutPrefix(strings.TrimRight(word, ";:,)"), "./")
		if !ok || strings.ContainsAny(folder, "$.") {
			continue
		}
		sources, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*.go"))
		if err != nil || len(sources) == 0 {
			t.Errorf("%s: %q names no package", document, command)
		}
		for _, source := range sources {
			code.Write(require.Value(os.ReadFile(source))(t))
		}
	}
	if code.Len() == 0 {
		return
	}
	for i, word := range words[:len(words)-1] {
		kind := map[string]string{"-run": "Test", "-bench": "Benchmark"}[word]
		if kind == "" {
			continue
		}
		tests, _, _ := strings.Cut(strings.Trim(words[i+1], "'^$"), "/")
		for asked := range strings.SplitSeq(tests, "|") {
			if asked == "-" || asked == "" || asked == "." {
				continue
			}
			if !regexp.MustCompile(`(?m)^func ` + kind + `\w*` + strings.TrimPrefix(asked, kind)).MatchString(code.String()) {
				t.Errorf("%s: %q asks for %s, which is not there", document, command, asked)
			}
		}
	}
}
