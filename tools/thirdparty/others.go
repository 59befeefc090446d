package thirdparty

import (
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// given is something that is shipped and no Go module. Its files are named from the
// root, as patterns of path.Match.
type given struct {
	part  Part
	texts []string // files of its licences; after # the heading of a section of one
	files []string
}

//go:embed texts/typedoc.txt
var typedocLicence string

//go:embed texts/lunr.txt
var lunrLicence string

// pictures are what the studio shows that others photographed or drew.
var pictures = []given{
	{
		part: Part{
			Name: "Omniglot", Kind: Data, Ref: "omniglot", From: "https://github.com/brendenlake/omniglot", Licence: "MIT", In: []Product{Site},
			Note: "Drawn characters of Omniglot (Brenden Lake, Ruslan Salakhutdinov and Joshua Tenenbaum, Science 350, 2015): an excerpt, arranged as one picture.",
		},
		texts: []string{"web/static/web/characters/LICENSE.txt"},
		files: []string{"web/static/web/characters/characters.png", "web/lessons/characters.png"},
	}, {
		part: Part{
			Name: "Photographs of fruits", Kind: Data, Ref: "photographs-of-fruits", From: "https://github.com/MicrosoftLearning/AI-102-AIEngineer", Licence: "MIT", In: []Product{Site},
			Note: "By Microsoft, of AI-102-AIEngineer; cut to squares and scaled.",
		},
		texts: []string{"web/static/web/demo/README.md#The licence of the fruits"},
		files: []string{"web/static/web/demo/apple-*.jpg", "web/static/web/demo/banana-*.jpg", "web/static/web/demo/orange-*.jpg"},
	}, {
		part: Part{
			Name: "Photographs of cats", Kind: Data, Ref: "photographs-of-cats", From: "https://github.com/maxogden/cats", Licence: "BSD-3-Clause", In: []Product{Site},
			Note: "By Max Ogden, of cats; cut to squares and scaled. The README there says “All cats photos in here are BSD Licensed” and has no text: this is the stricter of the two that its author has used for works of this name.",
		},
		texts: []string{"web/static/web/demo/README.md#The licence of the cats"},
		files: []string{"web/static/web/demo/cat-*.jpg"},
	},
}

// ours are files of kinds that cannot say who made them, and that this project made.
var ours = []string{"web/static/web/icon*", "web/lessons/*.svg"}

// networks are what is shipped as weights: each with the folder of its card.
var networks = []struct{ name, folder string }{
	{"resnet12-s", "core/network/resnet12s"},
	{"resnet12-sound", "core/network/resnet12sound"},
	{"resnet12-xs", "core/network/resnet12xs"},
}

// others lists what is no Go module.
func others(root string) ([]Part, error) {
	var parts []Part
	for _, g := range pictures {
		for _, name := range g.texts {
			file, heading, _ := strings.Cut(name, "#")
			data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
			if err != nil {
				return nil, err
			}
			text := string(data)
			if heading != "" {
				if text, err = section(text, heading); err != nil {
					return nil, fmt.Errorf("%s: %w", file, err)
				}
			}
			g.part.Texts = append(g.part.Texts, Text{file, clean([]byte(text))})
		}
		parts = append(parts, g.part)
	}
	for _, n := range networks {
		part, err := NetworkPart(root, n.name, n.folder)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	scripts, err := reference(root)
	return append(parts, scripts...), err
}

// section returns what stands below a heading of Markdown, up to the next, without the
// indentation of a block of code.
func section(text, heading string) (string, error) {
	_, after, ok := strings.Cut(text, "## "+heading+"\n")
	if !ok {
		return "", fmt.Errorf("no heading %q", heading)
	}
	after, _, _ = strings.Cut(after, "\n#")
	return strings.ReplaceAll(strings.ReplaceAll(after, "\n    ", "\n"), "\n\n\n", "\n\n"), nil
}

// NetworkPart returns what there is to say of the network whose card lies in a folder of
// the module root, which its name and its file are beside.
//
// # Errors
//
// It returns an error if the card does not say of which data the network was made and
// under which licence those are, or if the file is not the one that the card is about.
func NetworkPart(root, name, folder string) (Part, error) {
	from := filepath.Join(root, filepath.FromSlash(folder))
	card, err := os.ReadFile(filepath.Join(from, "README.md"))
	if err != nil {
		return Part{}, err
	}
	weights, err := os.ReadFile(filepath.Join(from, name+".safetensors"))
	if err != nil {
		return Part{}, err
	}
	data, licence, sum := row(card, "Data"), paragraph(card, "Licence of the data."), row(card, "SHA-256")
	if data == "" || licence == "" {
		return Part{}, fmt.Errorf("%s/README.md: want a row | Data | and a paragraph **Licence of the data.**: the notice says where weights come from", folder)
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(weights)); got != sum {
		return Part{}, fmt.Errorf("%s/README.md is the card of a file with SHA-256 %s, %s.safetensors has %s: bring the card up to date", folder, sum, name, got)
	}
	return Part{
		Name: name, Kind: Network, Ref: name, From: "https://github.com/deepemd/deepemd/tree/main/" + folder, Licence: "MIT",
		Note: "Made by this project. Learned from: " + data + ". " + licence, SHA256: sum, In: []Product{Command, NPM, Site},
	}, nil
}

// row returns the second cell of the row of a table that begins with a name.
func row(card []byte, name string) string {
	match := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(name) + ` \| (.+) \|$`).FindSubmatch(card)
	if match == nil {
		return ""
	}
	return plain(match[1])
}

// paragraph returns what follows a paragraph's beginning in bold letters.
func paragraph(card []byte, name string) string {
	_, after, ok := strings.Cut(string(card), "**"+name+"** ")
	if !ok {
		return ""
	}
	after, _, _ = strings.Cut(after, "\n\n")
	return plain([]byte(after))
}

var markdownLink = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// plain returns a line of Markdown without its links and its line breaks.
func plain(text []byte) string {
	return strings.Join(strings.Fields(string(markdownLink.ReplaceAll(text, []byte("$1")))), " ")
}

// reference returns what the reference of the JavaScript package holds of the tool that
// makes it, where it is made: page scripts and style sheets.
func reference(root string) ([]Part, error) {
	const folder = "tools/docs"
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(folder), "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct{ Version, License string }
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return nil, fmt.Errorf("%s/package-lock.json: %w", folder, err)
	}
	var parts []Part
	for _, p := range []struct{ name, home, note, text string }{
		{"lunr", "https://lunrjs.com", "In the script of the reference, which TypeDoc makes.", lunrLicence},
		{"typedoc", "https://typedoc.org", "Its script, style sheet and icons are in the reference of the JavaScript package (docs/reference), unchanged, where the site was built with it.", typedocLicence},
	} {
		locked := lock.Packages[path.Join("node_modules", p.name)]
		if locked.Version == "" || locked.License == "" {
			return nil, fmt.Errorf("%s/package-lock.json has no %s: does the reference still hold it?", folder, p.name)
		}
		part := Part{
			Name: p.name, Version: locked.Version, Kind: Library, Ref: "pkg:npm/" + p.name + "@" + locked.Version, From: p.home,
			Licence: locked.License, Note: p.note, Texts: []Text{{"LICENSE", clean([]byte(p.text))}}, In: []Product{Site},
		}
		if p.name == "typedoc" {
			part.Needs = []string{parts[0].Ref}
		}
		parts = append(parts, part)
	}
	return parts, nil
}
