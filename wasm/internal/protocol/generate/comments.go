package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/deepemd/deepemd/internal/jsvalue"
)

// folders have the packages that declare messages.
var folders = []string{"core/answer", "core/learner", "core/method", "wasm/internal/protocol"}

// source is what only the source says of messages.
type source struct {
	comments map[string]string // of "package.Type", and of "package.Type.property"
	codes    []code
}

type code struct{ name, doc string }

// read reads the packages in the module at root.
func read(root string) (*source, error) {
	s := &source{comments: map[string]string{}}
	for _, folder := range folders {
		paths, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range paths {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
			if err != nil {
				return nil, err
			}
			for _, decl := range parsed.Decls {
				if decl, ok := decl.(*ast.GenDecl); ok {
					s.add(path.Base(folder), decl)
				}
			}
		}
	}
	return s, nil
}

// add adds the structs and the error codes of a declaration.
func (s *source) add(pkg string, decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if t, ok := spec.Type.(*ast.StructType); ok {
				name := pkg + "." + spec.Name.Name
				s.comments[name] = line(cmp.Or(spec.Doc, decl.Doc))
				for _, f := range t.Fields.List {
					s.addFields(name, f)
				}
			}
		case *ast.ValueSpec:
			if t := types.ExprString(spec.Type); t == "Code" || t == "learner.Code" {
				name := strings.Trim(types.ExprString(spec.Values[0]), `"`)
				s.codes = append(s.codes, code{name, line(spec.Comment)})
			}
		}
	}
}

// addFields adds the comment of the fields in one line of a struct.
func (s *source) addFields(of string, f *ast.Field) {
	var tag reflect.StructTag
	if f.Tag != nil {
		tag = reflect.StructTag(strings.Trim(f.Tag.Value, "`"))
	}
	for _, name := range f.Names {
		property, _ := jsvalue.Name(name.Name, tag)
		s.comments[of+"."+property] = strings.TrimSpace(line(f.Doc) + " " + line(f.Comment))
	}
}

// line returns a comment, which may be nil, in one line.
func line(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
