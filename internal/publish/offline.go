package publish

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// WorkerScript is the name of the service worker in the site's top folder, which limits its scope.
const WorkerScript = "sw.js"

//go:embed sw.js
var workerScript []byte

// placeholder marks the position of the file list.
const placeholder = "const FILES = {};"

// digestDigits is the length of digests: 96 bits.
const digestDigits = 24

// Worker returns the service worker of a built site, the script that keeps the studio on the
// device. It lists every file that the studio needs with a digest of its content, so it must be
// generated last, and it changes exactly if a file changes. It returns an error if a file cannot be
// read.
func Worker(site fs.FS) ([]byte, error) {
	files := map[string]string{}
	err := fs.WalkDir(site, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !offlineFile(name) {
			return err
		}
		data, err := fs.ReadFile(site, name)
		if err != nil {
			return err
		}
		if name == "index.html" {
			name = "./"
		}
		sum := sha256.Sum256(data)
		files[name] = hex.EncodeToString(sum[:])[:digestDigits]
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("service worker: %w", err)
	}
	if !bytes.Contains(workerScript, []byte(placeholder)) {
		return nil, fmt.Errorf("service worker: sw.js lacks the line %q", placeholder)
	}
	list, _ := json.MarshalIndent(files, "", "  ") // sorted by name; texts always have a JSON form
	return bytes.Replace(workerScript, []byte(placeholder), fmt.Appendf(nil, "const FILES = %s;", list), 1), nil
}

// offlineFile reports whether the studio needs the file: it skips documentation, examples, shared pages,
// files for Node and galleries, and compressed copies.
func offlineFile(name string) bool {
	if name == WorkerScript || strings.HasPrefix(name, "examples/") || strings.HasPrefix(name, "docs/") || strings.HasPrefix(name, "pages/") || strings.HasPrefix(name, "deepemd/node") || strings.HasPrefix(name, "deepemd/gallery") || strings.HasPrefix(name, "deepemd/deepemd-gallery") || strings.HasPrefix(path.Base(name), "_") || strings.HasSuffix(name, "LICENSE.txt") || strings.HasSuffix(name, "NOTICE.txt") {
		return false
	}
	return !slices.Contains([]string{".br", ".gz", ".md", ".ts"}, path.Ext(name))
}
