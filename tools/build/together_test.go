package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// A page loads one file, and one more if publishers replace it. It imports no module from its source
// path.
func TestModulesLieTogether(t *testing.T) {
	root := require.Value(moduleRoot())(t)
	s := &folder{root: root}
	imports := regexp.MustCompile(`(?m)(?:from|^import)\s*"([^"]+)"`)
	for from, allowed := range map[string]map[string][]string{
		npm: {
			"deepemd.js": {"./networks.js"},
			"project.js": {"./deepemd.js", "./networks.js"},
			"element.js": {"./awake.js", "./deepemd.js", "./framing.js", "./networks.js", "./video-frames.js"},
			"gallery.js": {"./deepemd.js"},
		},
		studioScripts: {"boot.js": {"deepemd/networks.js"}, "projects.js": {"deepemd/project.js", "./boot.js"}},
	} {
		files := require.Value(s.joined(from, map[string][]byte{"assets.js": []byte(`export const worker = { bytes: 12345678 };
export const engine = {};
export const soundEngine = {};
export const recorder = {};`)}))(t)
		for _, entry := range together[from] {
			for _, m := range imports.FindAllStringSubmatch(string(files[entry]), -1) {
				if !slices.Contains(allowed[entry], m[1]) {
					t.Errorf("%s imports %s, want nothing but %q", entry, m[1], allowed[entry])
				}
			}
		}
		for name, text := range files {
			holder := imports.FindStringSubmatch(string(text))
			if !slices.Contains(together[from], name) && (holder == nil || !slices.Contains(together[from], strings.TrimPrefix(holder[1], "./"))) {
				t.Errorf("%s takes its names from none of the files: %s", name, text)
			}
		}
		if from == npm && !strings.Contains(string(files["deepemd.js"]), "12345678") {
			t.Error("deepemd.js has the source's assets.js, not the one that was made")
		}
	}
	if _, err := s.joined(npm, map[string][]byte{"deepemd.js": []byte(`import { none } from "./error.js";`)}); err == nil {
		t.Error("a name that a module does not give out was imported")
	}
}
