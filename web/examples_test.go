package web

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// In the examples, the name of a field that is operated through its label contains the label's text, which voice
// control uses.
func TestExamplesNameFieldsByTheirText(t *testing.T) {
	field := regexp.MustCompile(`<label[^>]*>([^<]+)<input[^>]* aria-label="([^"]+)"`)
	named := 0
	for _, page := range require.Value(filepath.Glob("examples/*/index.html"))(t) {
		for _, found := range field.FindAllStringSubmatch(string(require.Value(os.ReadFile(page))(t)), -1) {
			named++
			if text := strings.TrimSpace(found[1]); !strings.Contains(found[2], text) {
				t.Errorf("%s: the field %q is called %q", page, text, found[2])
			}
		}
	}
	if named == 0 {
		t.Error("no example names a field")
	}
}
