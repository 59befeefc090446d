package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"text/tabwriter"
)

// printSizes prints the size of each file of a site, and of its compressed forms.
func printSizes(w io.Writer, root string) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "bytes\tgzip\tbrotli\t\t")
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || original(name) != "" {
			return err
		}
		path := filepath.Join(root, filepath.FromSlash(name))
		fmt.Fprintf(table, "%s\t%s\t%s\t\t%s\n", size(path), size(path+".gz"), size(path+".br"), name)
		return nil
	})
	if err != nil {
		return err
	}
	return table.Flush()
}

// size returns a file's length as text, or "-" if it is absent.
func size(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return "-"
	}
	return fmt.Sprint(info.Size())
}
