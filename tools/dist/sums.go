package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/deepemd/deepemd/core/version"
	"github.com/deepemd/deepemd/tools/thirdparty"
)

// sumsName and listName are the two files that tell of the others.
const (
	sumsName = "SHA256SUMS"
	listName = "ARCHIVES.txt"
)

// checksums writes the SHA-256 of every file, as sha256sum reads it.
func (r *release) checksums() error {
	files := slices.SortedFunc(slices.Values(r.made), func(a, b file) int { return cmp.Compare(a.name, b.name) })
	var out bytes.Buffer
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(r.out, f.name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%x  %s\n", sha256.Sum256(data), f.name)
	}
	if err := os.WriteFile(filepath.Join(r.out, sumsName), out.Bytes(), 0o644); err != nil {
		return err
	}
	r.add(sumsName, "SHA-256 of all of these: sha256sum -c %s", sumsName)
	return nil
}

// list writes what each file is, and which programs were run on the machine that made
// them.
func (r *release) list() error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "DeepEMD %s\n\n", version.Current)
	if r.draft || len(r.platforms) < len(thirdparty.Platforms) {
		out.WriteString("A draft, not a release: go run ./tools/dist without flags makes one.\n\n")
	}
	for _, f := range r.made {
		fmt.Fprintf(&out, "%s\n    %s\n", f.name, f.about)
	}
	out.WriteString("\n\"Run here\" means: deepemd version, and deepemd explain of two photographs. All others were built, vetted by make\n" +
		"check, and not run. The same source gives the same checksums in any folder (make dist-same). This file has none, as it tells\n" +
		"of the machine that made it.\n")
	return os.WriteFile(filepath.Join(r.out, listName), out.Bytes(), 0o644)
}
