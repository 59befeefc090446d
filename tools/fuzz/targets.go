package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// target is a fuzz target.
type target struct {
	folder, name string // such as core/sound and FuzzDecode
	budgeted     bool   // whether it runs under bombs.Budget, itself or by what it calls
}

// String says which it is, in a form that -only matches.
func (t target) String() string { return t.folder + " " + t.name }

// targets finds the fuzz targets of the tree that lies at root, whatever system they
// are for: in the files that git knows or would add.
func targets(root string) ([]target, error) {
	folders, err := goFiles(root)
	if err != nil {
		return nil, err
	}
	return targetsIn(folders), nil
}

// targetsIn finds the fuzz targets in files, in the order of their folders.
func targetsIn(folders map[string][]goFile) (all []target) {
	for _, folder := range sorted(folders) {
		var funcs []*ast.FuncDecl
		for _, f := range folders[folder] {
			if !strings.HasSuffix(f.name, "_test.go") {
				continue
			}
			for _, d := range f.tree.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Body != nil {
					funcs = append(funcs, fn)
				}
			}
		}
		for _, fn := range funcs {
			if takes(fn, "F") && strings.HasPrefix(fn.Name.Name, "Fuzz") {
				all = append(all, target{folder, fn.Name.Name, budgeted(fn, funcs, map[*ast.FuncDecl]bool{})})
			}
		}
	}
	return all
}

// goFile is a file of Go.
type goFile struct {
	name string
	tree *ast.File
}

// goFiles reads all files of Go below root, by their folders.
func goFiles(root string) (map[string][]goFile, error) {
	names, err := tracked(root, "*.go")
	if err != nil {
		return nil, err
	}
	folders := map[string][]goFile{}
	files := token.NewFileSet()
	for _, name := range names {
		tree, err := parser.ParseFile(files, filepath.Join(root, filepath.FromSlash(name)), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		folder := path.Dir(name)
		folders[folder] = append(folders[folder], goFile{path.Base(name), tree})
	}
	return folders, nil
}

// tracked lists the files that git knows or would add, with slashes.
func tracked(root string, patterns ...string) ([]string, error) {
	cmd := exec.Command("git", append([]string{"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"}, patterns...)...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w: run it in the repository", err)
	}
	var names []string
	for name := range bytes.SplitSeq(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		// One that was removed and is not committed yet is listed, too.
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(string(name)))); err == nil {
			names = append(names, string(name))
		}
	}
	return names, nil
}

// takes reports whether a function takes one argument, a *testing.T, F or B by name.
func takes(fn *ast.FuncDecl, name string) bool {
	if fn.Type.Params.NumFields() != 1 {
		return false
	}
	star, ok := fn.Type.Params.List[0].Type.(*ast.StarExpr)
	return ok && isSelector(star.X, "testing", name)
}

// budgeted reports whether a function calls bombs.Budget, or Ask of a program in Node
// (package internal/nodetest), which has a budget, too, or another function of the same
// folder's tests that does.
func budgeted(fn *ast.FuncDecl, others []*ast.FuncDecl, seen map[*ast.FuncDecl]bool) bool {
	if seen[fn] {
		return false
	}
	seen[fn] = true
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !found {
			if s, ok := call.Fun.(*ast.SelectorExpr); ok && (isSelector(s, "bombs", "Budget") || s.Sel.Name == "Ask") {
				found = true
			} else if id, ok := call.Fun.(*ast.Ident); ok {
				at := slices.IndexFunc(others, func(o *ast.FuncDecl) bool { return o.Name.Name == id.Name })
				found = at >= 0 && budgeted(others[at], others, seen)
			}
		}
		return !found
	})
	return found
}

func isSelector(e ast.Expr, of, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	id, ok := s.X.(*ast.Ident)
	return ok && id.Name == of
}

func sorted(folders map[string][]goFile) []string {
	var names []string
	for name := range folders {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
