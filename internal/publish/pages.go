package publish

import (
	"errors"
	"io/fs"
	"path"

	"github.com/deepemd/deepemd/internal/server"
)

// addPages puts shared pages and project files into the site.
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
		return errors.New("the folder of pages has none: put shared pages (.html) or project files (.deepemd) there")
	}
	return err
}
