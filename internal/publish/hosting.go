package publish

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/server"
)

// LargestFile is the maximum file size, a little below the strictest limit of well-known hosts, 25
// MiB.
const LargestFile = 24 << 20

// ExportOptions are the settings of an export. The zero value is valid.
type ExportOptions struct {
	// Weights replace the default model for images, under a name such as "mine.safetensors". nil
	// keeps it.
	Weights     []byte
	WeightsName string
	// Piece is the maximum size of a weights file; 0 means LargestFile.
	Piece int
	// Pages are shared pages (.html) and project files (.deepemd) for the site's folder pages; may
	// be nil.
	Pages fs.FS
	// Embeddable sets headers that permit pages of any origin to frame shared pages, and to fetch
	// project files, the package and the models.
	Embeddable bool
}

// Export writes a built site to a new or empty folder, all or nothing.
//
// # Errors
//
// server.ErrSite without a built site; a folder that is not empty; an invalid name of weights;
// Pages without shared pages; weights of more than 256 pieces; a file other than weights that exceeds LargestFile.
func Export(dir string, site fs.FS, o ExportOptions) error {
	o.Piece = cmp.Or(o.Piece, LargestFile)
	files, err := read(site)
	if err != nil {
		return err
	}
	if o.Weights != nil {
		if err := setNetwork(files, o.WeightsName, o.Weights); err != nil {
			return err
		}
	}
	if err := cut(files, o.Piece); err != nil {
		return err
	}
	if o.Pages != nil {
		if err := addPages(files, o.Pages); err != nil {
			return err
		}
	}
	for name, data := range files {
		if len(data) > LargestFile {
			return fmt.Errorf("%s has %d bytes: hosts accept files of up to %d", name, len(data), LargestFile)
		}
	}
	explain(files, o.Embeddable)
	return write(dir, files)
}

// read reads the site without compressed copies, which hosts make themselves.
func read(site fs.FS) (map[string][]byte, error) {
	if _, err := fs.Stat(site, "index.html"); err != nil {
		return nil, fmt.Errorf("%w: it has no index.html: build one with `make build`", server.ErrSite)
	}
	files := map[string][]byte{}
	err := each(site, func(name string) (err error) {
		if slices.Contains([]string{".br", ".gz"}, path.Ext(name)) {
			return nil
		}
		files[name], err = fs.ReadFile(site, name)
		return err
	})
	return files, err
}

// each calls visit with the path of every file that a server would serve: it follows links to
// files, but not to folders, and skips names that begin with a dot.
func each(folder fs.FS, visit func(name string) error) error {
	return fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(path.Base(name), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if info, err := fs.Stat(folder, name); err != nil || !info.Mode().IsRegular() {
			return nil
		}
		return visit(name)
	})
}

// mostPieces is the maximum number of pieces that wasm/npm/parts.js joins.
const mostPieces = 256

// cut replaces weights larger than a piece by a list, and adds the pieces; wasm/npm/parts.js joins
// them. It returns an error for more than mostPieces.
func cut(files map[string][]byte, piece int) error {
	type list struct {
		Parts []string `json:"parts"`
		Bytes int      `json:"bytes"`
	}
	for name, data := range files {
		if path.Ext(name) != ".safetensors" || len(data) <= piece {
			continue
		}
		if len(data) > mostPieces*piece {
			return fmt.Errorf("%s has %d bytes, more than %d pieces of %d: use larger pieces", name, len(data), mostPieces, piece)
		}
		l := list{Bytes: len(data)}
		for part := range slices.Chunk(data, piece) {
			base := fmt.Sprintf("%s.%d", path.Base(name), len(l.Parts))
			l.Parts = append(l.Parts, base)
			files[path.Dir(name)+"/"+base] = part
		}
		files[name], _ = json.Marshal(l) // texts and numbers always have a JSON form
	}
	return nil
}

func write(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(filepath.Dir(filepath.Clean(dir)), 0o777); err != nil {
		return err
	}
	return atomicfile.WriteFolder(dir, func(temp string) error {
		for name, data := range files {
			file := filepath.Join(temp, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				return err
			}
			if err := os.WriteFile(file, data, 0o666); err != nil {
				return err
			}
		}
		worker, err := Worker(os.DirFS(temp)) // which names every file with its digest
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(temp, WorkerScript), worker, 0o666)
	})
}

func addPages(files map[string][]byte, pages fs.FS) error {
	added := 0
	err := each(pages, func(name string) (err error) {
		if !server.IsPage(name) {
			return nil
		}
		added++
		files[path.Join(server.PagesFolder, name)], err = fs.ReadFile(pages, name)
		return err
	})
	if err == nil && added == 0 {
		return errors.New("the folder of pages is empty: put shared pages (.html) or project files (.deepemd) there")
	}
	return err
}

// weightsFolder is the folder of models in a site.
const weightsFolder = "weights"

// networks is the module with the paths of models; wasm/npm has the default one.
const networks = "deepemd/networks.js"

// setNetwork replaces the default model for images.
func setNetwork(files map[string][]byte, name string, weights []byte) error {
	if name != path.Base(name) || strings.ContainsAny(name, "/\\\"?#%") || !strings.HasSuffix(name, ".safetensors") {
		return fmt.Errorf("weights named %q: want a plain file name that ends in .safetensors", name)
	}
	if name == network.ResNet12SoundFile {
		return fmt.Errorf("weights named %q: this is the name of the sound model: rename the file", name)
	}
	if _, found := files[networks]; !found {
		return fmt.Errorf("the site lacks %s: was it built with this version?", networks)
	}
	for _, file := range []string{network.ResNet12PhotoFile, network.ResNet12XSFile, network.ResNet12SFile} {
		delete(files, weightsFolder+"/"+file)
	}
	files[weightsFolder+"/"+name] = weights
	files[networks] = networksModule([]model{
		{"pictures", name, weights},
		{"sounds", network.ResNet12SoundFile, network.ResNet12SoundWeights()},
	})
	return nil
}

// model is a weights file in weightsFolder and its use.
type model struct {
	use, name string
	data      []byte
}

func networksModule(all []model) []byte {
	var entries strings.Builder
	for _, n := range all {
		fmt.Fprintf(&entries, "  %s: { get url() { return new URL(\"../%s/%s\", import.meta.url); }, bytes: %d, sha256: \"%x\" },\n", n.use, weightsFolder, n.name, len(n.data), sha256.Sum256(n.data))
	}
	return fmt.Appendf(nil, `// @ts-check
/**
 * The addresses, sizes in bytes and digests of the models. %s and %s are the defaults. %s, if present,
 * is for slow devices: a page that offers it passes it in its options. Projects open with the model that
 * taught them, if it is one of these. %s writes this file for a custom model.
 */
export const networks = {
%s};
`, "`pictures`", "`sounds`", "`small`", "`deepemd export-site --weights`", &entries)
}
