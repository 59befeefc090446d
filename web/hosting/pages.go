package hosting

import (
	"errors"
	"io/fs"
	"path"

	"github.com/deepemd/deepemd/web/server"
)

// addPages puts shared pages and project files into the site.
func addPages(files map[string][]byte, pages fs.FS) error {
	added := 0
	err := fs.WalkDir(pages, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !server.IsPage(name) {
			return err
		}
		added++
		files[path.Join(server.PagesFolder, name)], err = fs.ReadFile(pages, name)
		return err
	})
	if err == nil && added == 0 {
		return errors.New("the folder of pages has none: put shared pages (.html) or project files (.deepemd) there")
	}
	return err
}
