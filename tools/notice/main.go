// Command notice lists what others made of what the project ships, with licences: the
// modules that the command and the programs for browsers link, Go itself, pictures,
// data, scripts of others, and what the networks learned from.
//
//	go run ./tools/notice          # a line for each: licence, products, name, version
//	go run ./tools/notice -write   # writes NOTICE, web/static/NOTICE.txt and wasm/npm/NOTICE.txt
//
// It fails where a licence is missing or new. tools/thirdparty holds what is known of
// them, and its test that the files are up to date.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/tools/thirdparty"
)

func main() {
	write := flag.Bool("write", false, "write the notices instead of a list")
	flag.Parse()
	if err := run(*write); err != nil {
		fmt.Fprintln(os.Stderr, "notice:", strings.TrimSpace(err.Error()))
		os.Exit(1)
	}
}

func run(write bool) error {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return err
	}
	root := filepath.Dir(strings.TrimSpace(string(out)))
	inv, err := thirdparty.Find(root)
	if err != nil {
		return err
	}
	if write {
		for _, file := range thirdparty.NoticeFiles {
			if err := atomicfile.Replace(filepath.Join(root, filepath.FromSlash(file.Name)), thirdparty.Notice(inv, file.Of...)); err != nil {
				return err
			}
		}
		return nil
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, part := range inv.Parts {
		var in []string
		for _, p := range part.In {
			in = append(in, string(p))
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", part.Licence, strings.Join(in, ","), part.Name, part.Version)
	}
	return table.Flush()
}
