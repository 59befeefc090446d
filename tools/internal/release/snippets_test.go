package release

import (
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/deepemd/deepemd/internal/require"
)

// commentMark begins a line of a comment in the types.
var commentMark = regexp.MustCompile(`(?m)^ *\* ?`)

// snippets are the blocks of a document in JavaScript, and scripts in its HTML that are modules.
var (
	snippets = regexp.MustCompile("(?s)```(js|tsx)\n(.*?)```")
	scripts  = regexp.MustCompile(`(?s)<script type="module">\n(.*?)</script>`)
)

// TestSnippetsImportWhatThereIs asserts that the programs in documents and in the package's
// types parse, and that the package exports the names that they import.
func TestSnippetsImportWhatThereIs(t *testing.T) {
	npm := require.Value(filepath.Abs(filepath.Join(root, "wasm", "npm")))(t)
	programs := 0
	for _, name := range tracked(t) {
		text := ""
		switch {
		case path.Ext(name) == ".md":
			text = string(read(t, name))
		case strings.HasSuffix(name, ".d.ts"):
			text = commentMark.ReplaceAllString(string(read(t, name)), "")
		}
		var code []string
		for _, match := range snippets.FindAllStringSubmatch(text, -1) {
			code = append(code, match[2])
		}
		for _, match := range scripts.FindAllStringSubmatch(text, -1) {
			code = append(code, match[1])
		}
		for _, source := range code {
			if !strings.Contains(source, "deepemd") && path.Ext(name) == ".md" {
				continue
			}
			programs++
			// Addresses of the built site and of content delivery networks mean the package.
			source = regexp.MustCompile(`"[^"\n]*/deepemd(@[\d.]+)?/(cdn/)?(\w+)\.js"`).ReplaceAllString(source, `"deepemd/$3"`)
			source = strings.ReplaceAll(source, `"deepemd/deepemd"`, `"deepemd"`)
			result := api.Build(api.BuildOptions{
				Stdin:  &api.StdinOptions{Contents: strings.ReplaceAll(source, "…", "null"), ResolveDir: npm, Sourcefile: name, Loader: api.LoaderTSX},
				Bundle: true, Format: api.FormatESModule, Target: api.ESNext, LogLevel: api.LogLevelSilent,
				// Entries for frameworks are the element's module with other types.
				Alias: map[string]string{
					"deepemd": npm, "deepemd/react": npm + "/element.js", "deepemd/vue": npm + "/element.js", "deepemd/svelte": npm + "/element.js",
				},
				External: []string{"react", "vite", "node:*"}, JSX: api.JSXPreserve,
			})
			for _, e := range result.Errors {
				t.Errorf("%s: %s, in\n%s", name, e.Text, source)
			}
		}
	}
	if programs < 8 {
		t.Errorf("only %d programs in the documents", programs)
	}
}
