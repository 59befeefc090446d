package release

import (
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/testsite"
)

var (
	// verbs are commands of deepemd in documents: indented, or in code within a line. A
	// backslash carries them on.
	verbs = regexp.MustCompile("(?m)(?:^    |`)deepemd ((?:[^`\n\\\\]|\\\\\n)+)")
	flags = regexp.MustCompile(`--[a-z][a-z-]*`)
)

// TestCommandsOfDeepEMDExist asserts that every verb of the command which a document
// names exists, and takes the flags that it is shown with.
func TestCommandsOfDeepEMDExist(t *testing.T) {
	program := require.Value(testsite.Command())(t)
	help := map[string]string{}
	commands := 0
	for _, name := range tracked(t) {
		if path.Ext(name) != ".md" || name == "CHANGELOG.md" {
			continue
		}
		for _, match := range verbs.FindAllStringSubmatch(string(read(t, name)), -1) {
			words := strings.Fields(match[1])
			if !regexp.MustCompile(`^[a-z-]+$`).MatchString(words[0]) {
				continue
			}
			commands++
			// Verbs may have verbs: train pretrain.
			verb := words[:1]
			if len(words) > 1 && regexp.MustCompile(`(?m)^  `+words[0]+" "+regexp.QuoteMeta(words[1])+`\b|^  `+regexp.QuoteMeta(words[1])+`  `).MatchString(about(t, program, help, words[:1])) {
				verb = words[:2]
			}
			text := about(t, program, help, verb)
			for _, flag := range flags.FindAllString(match[1], -1) {
				if !strings.Contains(text, flag+" ") && !strings.Contains(text, flag+"\n") {
					t.Errorf("%s: deepemd %s has no flag %s", name, strings.Join(verb, " "), flag)
				}
			}
		}
	}
	if commands < 60 {
		t.Errorf("only %d commands of deepemd in the documents", commands)
	}
}

// about returns the help of a verb.
func about(t *testing.T, program string, known map[string]string, verb []string) string {
	t.Helper()
	key := strings.Join(verb, " ")
	if text, ok := known[key]; ok {
		return text
	}
	out, err := exec.Command(program, slices.Concat(verb, []string{"--help"})...).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "deepemd "+verb[0]) {
		t.Errorf("there is no deepemd %s: %v", key, err)
	}
	known[key] = string(out)
	return known[key]
}
