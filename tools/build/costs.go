package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/deepemd/deepemd/tools/wasmopt"
)

// cost is what the code of a Go package takes of a program.
type cost struct {
	pkg       string
	functions int
	code      []byte
}

// printCosts prints what each Go package costs the programs of the folder: the bytes of its
// code, and what they are compressed by themselves. Together packages compress better, so
// the sum is more than the program; a package's data are not told apart from the others'.
func (s *folder) printCosts(w io.Writer, studio bool) error {
	programs := slices.Clone(kitPrograms)
	if studio {
		modfile, err := slimGoApp(s.root)
		if err != nil {
			return err
		}
		programs = append(programs, studioProgram(modfile))
	}
	for _, p := range programs {
		costs, err := s.costs(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.file, err)
		}
		if err := printProgram(w, p.file, costs); err != nil {
			return err
		}
	}
	return nil
}

func printProgram(w io.Writer, name string, costs []*cost) error {
	total := 0
	for _, c := range costs {
		total += len(c.code)
	}
	fmt.Fprintf(w, "\n%s: %d bytes of code\n", name, total)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "functions\tbytes\tshare\tbrotli\t\tpackage")
	for _, c := range costs {
		small, err := encodings[0].compress(c.code, false)
		if err != nil {
			return err
		}
		fmt.Fprintf(table, "%d\t%d\t%.1f%%\t%d\t\t%s\n", c.functions, len(c.code), 100*float64(len(c.code))/float64(total), len(small), c.pkg)
	}
	return table.Flush()
}

// costs returns what each package costs a program, most first.
func (s *folder) costs(p program) ([]*cost, error) {
	named := s.work("named-" + p.file)
	if err := p.compile(s.root, named); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(named)
	if err != nil {
		return nil, err
	}
	functions, err := wasmopt.Functions(data)
	if err != nil {
		return nil, err
	}
	packages, err := p.packages(s.root)
	if err != nil {
		return nil, err
	}
	return byPackage(functions, packages), nil
}

// noWord is what the linker replaces in names of functions.
var noWord = regexp.MustCompile(`[^\w.]`)

// byPackage gives each function to its package, by name: that of the longest path that the
// name begins with, in the linker's spelling, else to the runtime, whose assembly and
// generated functions have names without one. The last package is the program's own, main.
func byPackage(functions []wasmopt.Function, packages []string) []*cost {
	spelled := map[string]string{"main": packages[len(packages)-1]}
	for _, p := range packages {
		spelled[noWord.ReplaceAllString(p, "_")] = p
	}
	costs := map[string]*cost{}
	for _, f := range functions {
		pkg := "runtime"
		for end := len(f.Name); end > 0; end = strings.LastIndexByte(f.Name[:end], '.') {
			if p, ok := spelled[f.Name[:end]]; ok {
				pkg = p
				break
			}
		}
		c := costs[pkg]
		if c == nil {
			c = &cost{pkg: pkg}
			costs[pkg] = c
		}
		c.functions++
		c.code = append(c.code, f.Code...)
	}
	return slices.SortedFunc(maps.Values(costs), func(a, b *cost) int {
		return cmp.Or(len(b.code)-len(a.code), strings.Compare(a.pkg, b.pkg))
	})
}
