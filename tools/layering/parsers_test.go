package layering

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// parser matches calls that decode a file format or a message.
var parser = regexp.MustCompile(`\b(json|xml|toml|gob)\.(Unmarshal|NewDecoder|Decode|DecodeFile)\(` +
	`|\b(csv|zip|tar|gzip|zlib|flate|brotli)\.(NewReader|OpenReader)\(|\bbinary\.Read\(|\bpickle\.(Load|NewUnpickler)\(` +
	`|\bpem\.Decode\(|\bx509\.ParseCertificate\(|\bmp3\.NewDecoder\(|\b(png|jpeg|webp|image|vp8|vp8l)\.(Decode|DecodeConfig|NewDecoder)\(` +
	`|\bbufio\.NewScanner\(|\bstrconv\.Unquote\(|(Little|Big)Endian\.Uint(16|32|64)\(`)

// trusted are packages that decode without a fuzz target, with the reason.
var trusted = map[string]string{
	"tools/deepemd/internal/cmdtest": "reads logs of the command under test",
	"web/internal/browser":           "runs in JavaScript only: reads JSON from the page's own scripts",
	"web/internal/feature/capture":   "runs in JavaScript only: reads settings that the page has stored",
	"web/internal/studiotest":        "reads files that the browser under test saves",
}

// formats are the packages below internal that read external files.
var formats = []string{"internal/arrays", "internal/netfile", "internal/onnx"}

// TestParsersHaveFuzzTargets requires a fuzz target for every package that decodes external data.
// Developer tools are exempt.
func TestParsersHaveFuzzTargets(t *testing.T) {
	cmd := exec.Command("git", "ls-files", "*.go")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("not a git checkout: %v", err)
	}
	decodes, fuzzed := map[string]string{}, map[string]bool{}
	for name := range strings.FieldsSeq(string(out)) {
		source, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // removed, and not committed yet
		}
		folder := path.Dir(name)
		if strings.HasSuffix(name, "_test.go") {
			fuzzed[folder] = fuzzed[folder] || strings.Contains(string(source), "\nfunc Fuzz")
		} else if call := parser.Find(source); call != nil {
			decodes[folder] = string(call)
		}
	}
	if len(decodes) < 20 {
		t.Fatalf("only %d packages decode anything: does the pattern still match?", len(decodes))
	}
	for folder, call := range decodes {
		developers := strings.HasPrefix(folder, "internal/") && !slices.Contains(formats, folder) || strings.HasPrefix(folder, "tools/") && !strings.HasPrefix(folder, "tools/deepemd")
		if !fuzzed[folder] && trusted[folder] == "" && !developers {
			t.Errorf("%s calls %s…) and has no fuzz target: add one, or a reason to trusted", folder, call)
		}
	}
	for folder := range trusted {
		if decodes[folder] == "" || fuzzed[folder] {
			t.Errorf("%s decodes nothing or has a fuzz target: remove it from trusted", folder)
		}
	}
}
