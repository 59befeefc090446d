package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/core/network/resnet12sound"
	"github.com/deepemd/deepemd/core/network/resnet12xs"
)

// scope is where the packages of networks are at home.
const scope = "@deepemd/"

// networks are those that have a package each, by what an engine takes them for by default.
var networks = []network{
	{"pictures", resnet12s.Name, "core/network/resnet12s", resnet12s.Weights()},
	{"sounds", resnet12sound.Name, "core/network/resnet12sound", resnet12sound.Weights()},
}

// small is the network for slow devices. It comes with the site, whose studio chooses it by
// measuring.
var small = network{"small", resnet12xs.Name, "core/network/resnet12xs", resnet12xs.Weights()}

// packages writes the folders that npm publishes: package deepemd, and one for each network.
func (s *folder) packages() error {
	var dependencies []string
	for _, n := range networks {
		if err := s.weights(n); err != nil {
			return err
		}
		dependencies = append(dependencies, scope+n.name)
	}
	const to = "deepemd"
	manifest, err := s.manifest(dependencies...)
	if err != nil {
		return err
	}
	if err := s.kit(to, false, map[string][]byte{"package.json": manifest, "networks.js": installedNetworks()}); err != nil {
		return err
	}
	if err := s.cdn(to); err != nil {
		return err
	}
	if err := s.readme(npm, to); err != nil {
		return err
	}
	if err := s.copyFile(filepath.Join(s.root, "LICENSE"), to+"/LICENSE"); err != nil {
		return err
	}
	return s.prune()
}

// installedNetworks is networks.js of a package that was installed: the networks are
// packages beside it.
func installedNetworks() []byte {
	var imports, entries strings.Builder
	for _, n := range networks {
		fmt.Fprintf(&imports, "import { bytes as %[1]sBytes, url as %[1]s } from \"%[2]s\";\n", n.use, scope+n.name)
		fmt.Fprintf(&entries, "  %[1]s: { url: %[1]s, bytes: %[1]sBytes },\n", n.use)
	}
	return fmt.Appendf(nil, `%s
/** The networks that an engine takes by default, and how many bytes each has: packages of their own. */
export const networks = {
%s};
`, imports.String(), entries.String())
}

// project is where the source is at home.
const project = "https://github.com/deepemd/deepemd"

// link is a link of Markdown that leads to a file of the source.
var link = regexp.MustCompile(`\]\((\.[^)#\s]*|[a-z][\w./-]*\.md)(#[^)\s]*)?\)`)

// readme copies a folder's README.md. What its links lead to is not in the package.
func (s *folder) readme(from, to string) error {
	text, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(from), "README.md"))
	if err != nil {
		return err
	}
	text = link.ReplaceAllFunc(text, func(found []byte) []byte {
		parts := link.FindSubmatch(found)
		return fmt.Appendf(nil, "](%s/blob/main/%s%s)", project, path.Join(from, string(parts[1])), parts[2])
	})
	return s.write(path.Join(to, "README.md"), text)
}
