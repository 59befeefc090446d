package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core"
	"github.com/deepemd/deepemd/core/network"
)

// scope is the npm scope of the network packages.
const scope = "@deepemd/"

// networks are the networks with a package. Each is an engine's default for its use.
var networks = []model{
	{"pictures", network.ResNet12Photo, "core/network/resnet12photo", network.ResNet12PhotoWeights()},
	{"sounds", network.ResNet12Sound, "core/network/resnet12sound", network.ResNet12SoundWeights()},
}

// further are the networks that only the site contains: one for slow devices, which the studio
// selects by a measurement, and the former default, for the projects that it taught.
var further = []model{
	{"small", network.ResNet12XS, "core/network/resnet12xs", network.ResNet12XSWeights()},
	{"former", network.ResNet12S, "core/network/resnet12s", network.ResNet12SWeights()},
}

// packages writes the folders that npm publishes: package deepemd, and one for each network.
func (s *folder) packages() error {
	var dependencies []string
	for _, n := range networks {
		if err := s.weights(n); err != nil {
			return err
		}
		dependencies = append(dependencies, fmt.Sprintf("%q: %q", scope+n.name, core.Version))
	}
	manifest, err := s.manifest()
	if err != nil {
		return err
	}
	manifest = slices.Concat([]byte("{\n  \"dependencies\": { "+strings.Join(dependencies, ", ")+" },"), bytes.TrimPrefix(manifest, []byte("{")))
	if err := s.kit(false, map[string][]byte{"package.json": manifest, "networks.js": installedNetworks()}); err != nil {
		return err
	}
	if err := s.cdn(); err != nil {
		return err
	}
	if err := s.readme(npm, kitFolder); err != nil {
		return err
	}
	return s.prune()
}

// manifest returns the package.json of package deepemd from its source, which is private, as a public
// one.
func (s *folder) manifest() ([]byte, error) {
	text, err := os.ReadFile(s.source("package.json"))
	return bytes.Replace(text, []byte("  \"private\": true,\n"), nil, 1), err
}

// installedNetworks returns networks.js for npm, where the networks are installed packages.
func installedNetworks() []byte {
	var imports, entries strings.Builder
	for _, n := range networks {
		fmt.Fprintf(&imports, "import { bytes as %[1]sBytes, card as %[1]sCard, url as %[1]s } from \"%[2]s\";\n", n.use, scope+n.name)
		fmt.Fprintf(&entries, "  %[1]s: { url: %[1]s, bytes: %[1]sBytes, sha256: %[1]sCard.sha256 },\n", n.use)
	}
	return fmt.Appendf(nil, `%s
/** The addresses, sizes in bytes and digests of the models, which are separate packages. */
export const networks = {
%s};
`, imports.String(), entries.String())
}

// project is the address of the source.
const project = "https://github.com/deepemd/deepemd"

// link matches a link of Markdown to a file of the source.
var link = regexp.MustCompile(`\]\((\.[^)#\s]*|[a-z][\w./-]*\.md)(#[^)\s]*)?\)`)

// readme copies the license, and a folder's README.md, with links to the source instead of files that
// the package lacks.
func (s *folder) readme(from, to string) error {
	text, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(from), "README.md"))
	if err != nil {
		return err
	}
	text = link.ReplaceAllFunc(text, func(found []byte) []byte {
		parts := link.FindSubmatch(found)
		return fmt.Appendf(nil, "](%s/blob/main/%s%s)", project, path.Join(from, string(parts[1])), parts[2])
	})
	license := s.copyFile(filepath.Join(s.root, "LICENSE"), path.Join(to, "LICENSE"))
	return errors.Join(license, s.write(path.Join(to, "README.md"), text))
}
