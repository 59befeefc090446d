package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The strings that are messages: arguments of errorFunctions and of flagMethod (package flag's and
// pflag's), values of helpFields, and arguments of JavaScript's thrown, as they are written.
var (
	errorFunctions = []string{"Damaged", "Errorf", "FormatError", "Instead", "New", "badArgument", "badValue", "errorf", "fail", "notPositive", "panic"}
	helpFields     = []string{"Example", "Long", "Short", "What"}
	flagMethod     = regexp.MustCompile(`^((Bool|Duration|Float64|Int|IntSlice|String|StringArray|StringSlice|Uint64)(Var)?|Var)P?$`)
	thrown         = regexp.MustCompile("\\b(?:\\w*Error|Failure|bad)\\((.*[\"`'].* .*)")
)

// messages returns a table of all error messages, descriptions of flags and help texts of the module
// for reviewers, sorted and tab-separated: folder, kind and text. It leaves out tests.
func messages(root string) ([]byte, error) {
	var rows []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name := strings.TrimPrefix(filepath.ToSlash(path), filepath.ToSlash(root)+"/")
		if err != nil || entry.IsDir() {
			if path != root && (strings.HasPrefix(entry.Name(), ".") || slices.Contains([]string{"build", "node_modules", "testdata", "tests"}, entry.Name())) {
				return fs.SkipDir
			}
			return err
		}
		add := func(kind, text string) {
			folder, _, _ := strings.Cut(name, "/"+entry.Name())
			rows = append(rows, folder+"\t"+kind+"\t"+strings.ReplaceAll(strings.TrimSpace(text), "\n", `\n`)+"\n")
		}
		switch {
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool { goMessages(n, add); return true })
		case strings.HasPrefix(name, "wasm/npm/") && strings.HasSuffix(name, ".js") && !strings.HasPrefix(name, "wasm/npm/wasm_exec"):
			script, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for line := range strings.Lines(string(script)) {
				if match := thrown.FindStringSubmatch(line); match != nil {
					add("error", match[1])
				}
			}
		}
		return nil
	})
	slices.Sort(rows)
	return []byte("folder\tkind\ttext\n" + strings.Join(slices.Compact(rows), "")), err
}

// goMessages adds the messages in a call or a field.
func goMessages(n ast.Node, add func(kind, text string)) {
	switch n := n.(type) {
	case *ast.CallExpr:
		var function string
		switch f := n.Fun.(type) {
		case *ast.Ident:
			function = f.Name
		case *ast.SelectorExpr:
			function = f.Sel.Name
		}
		kind := "flag"
		if slices.Contains(errorFunctions, function) {
			kind = "error"
		} else if !flagMethod.MatchString(function) {
			return
		}
		for _, argument := range n.Args {
			if text := stringOf(argument); strings.Contains(text, " ") {
				add(kind, text)
			}
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && slices.Contains(helpFields, key.Name) {
			if text := stringOf(n.Value); text != "" {
				add("help", text)
			}
		}
	}
}

// stringOf returns the literals of an expression, concatenated, without other operands.
func stringOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return stringOf(e.X) + stringOf(e.Y)
	case *ast.ParenExpr:
		return stringOf(e.X)
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.CallExpr:
		if len(e.Args) > 0 {
			return stringOf(e.Args[0])
		}
	}
	return ""
}
