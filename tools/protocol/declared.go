package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/internal/jsvalue"
)

// rooms maps the names of packages with structs in messages to their folders.
var rooms = map[string]string{
	"protocol": "wasm/internal/protocol",
	"answer":   "core/answer",
	"learner":  "core/learner",
	"method":   "core/method",
}

// directive marks a request and names its reply.
const directive = "deepemd:request"

// declared are the declarations of the source.
type declared struct {
	structs  map[string]*structure // by "package.Name"
	slices   map[string]string     // named slices, by "package.Name": their types
	requests []*structure          // in the order of files and of declarations
	codes    []code
}

// structure is a struct of a package.
type structure struct {
	room, name string
	doc        []string // lines without directives
	fields     []field
	reply      string // of a request: the type of its reply, or ""
}

// field is a field of a message.
type field struct {
	name      string // in Go; "_" for fields of the worker
	wire      string // in JavaScript
	goType    string // qualified: "[]answer.Score"
	embedded  bool
	tsType    string // the tag ts, or ""
	omitEmpty bool
	doc       string
}

// code is an error code.
type code struct{ name, doc string }

func (s *structure) goName() string { return s.room + "." + s.name }

// parse reads the declarations of all packages below root.
func parse(root string) (*declared, error) {
	d := &declared{structs: map[string]*structure{}, slices: map[string]string{}}
	for _, room := range []string{"answer", "learner", "method", "protocol"} {
		if err := d.parseRoom(room, filepath.Join(root, filepath.FromSlash(rooms[room]))); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (d *declared) parseRoom(room, dir string) error {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	slices.Sort(paths)
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.GenDecl); ok {
				d.parseDecl(room, decl)
			}
		}
	}
	return nil
}

func (d *declared) parseDecl(room string, decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if list, ok := spec.Type.(*ast.ArrayType); ok {
				d.slices[room+"."+spec.Name.Name] = qualified(room, list)
			}
			t, ok := spec.Type.(*ast.StructType)
			if !ok || spec.TypeParams != nil || !spec.Name.IsExported() {
				continue
			}
			doc := cmp.Or(spec.Doc, decl.Doc)
			s := &structure{room: room, name: spec.Name.Name}
			request := false
			if doc != nil {
				for _, line := range doc.List {
					if reply, ok := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(line.Text, "//")), directive); ok {
						request, s.reply = true, strings.TrimSpace(reply)
					}
				}
				if s.reply != "" && !strings.Contains(s.reply, ".") {
					s.reply = room + "." + s.reply
				}
				s.doc = strings.Split(strings.TrimSpace(doc.Text()), "\n")
			}
			for _, f := range t.Fields.List {
				s.fields = append(s.fields, fieldsOf(room, f)...)
			}
			d.structs[s.goName()] = s
			if request {
				d.requests = append(d.requests, s)
			}
		case *ast.ValueSpec:
			d.parseCode(room, spec)
		}
	}
}

// parseCode adds a constant of type learner.Code.
func (d *declared) parseCode(room string, spec *ast.ValueSpec) {
	if spec.Type == nil || qualified(room, spec.Type) != "learner.Code" || len(spec.Values) != 1 {
		return
	}
	text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
	if err != nil {
		return
	}
	d.codes = append(d.codes, code{text, strings.TrimSpace(spec.Comment.Text())})
}

// fieldsOf returns the exported fields, and the fields of the worker, in one line of a struct.
func fieldsOf(room string, f *ast.Field) []field {
	var list []field
	tag := reflect.StructTag("")
	if f.Tag != nil {
		text, _ := strconv.Unquote(f.Tag.Value)
		tag = reflect.StructTag(text)
	}
	doc := strings.Join(strings.Fields(f.Doc.Text()+" "+f.Comment.Text()), " ")
	if len(f.Names) == 0 {
		list = append(list, field{goType: qualified(room, f.Type), embedded: true})
	}
	for _, name := range f.Names {
		if !name.IsExported() && name.Name != "_" {
			continue
		}
		wire, omit := jsvalue.Name(name.Name, tag)
		list = append(list, field{
			name: name.Name, wire: wire, goType: qualified(room, f.Type), tsType: tag.Get("ts"), omitEmpty: omit, doc: doc,
		})
	}
	return list
}

// qualified returns a type with qualified names.
func qualified(room string, t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		if t.IsExported() {
			return room + "." + t.Name
		}
		return t.Name
	case *ast.SelectorExpr:
		return t.X.(*ast.Ident).Name + "." + t.Sel.Name
	case *ast.StarExpr:
		return "*" + qualified(room, t.X)
	case *ast.ArrayType:
		if n, ok := t.Len.(*ast.BasicLit); ok {
			return "[" + n.Value + "]" + qualified(room, t.Elt)
		}
		return "[]" + qualified(room, t.Elt)
	case *ast.StructType:
		return "struct{}"
	}
	return fmt.Sprintf("%T", t)
}

// allFields returns the fields of a struct, with the fields of embedded structs.
func (d *declared) allFields(s *structure) []field {
	var list []field
	for _, f := range s.fields {
		if inner := d.structs[f.goType]; f.embedded && inner != nil {
			list = append(list, d.allFields(inner)...)
		} else if !f.embedded {
			list = append(list, f)
		}
	}
	return list
}

// inner returns the struct in a struct, pointer or slice type, or nil.
func (d *declared) inner(goType string) *structure {
	if list, ok := d.slices[goType]; ok {
		goType = list
	}
	return d.structs[strings.TrimLeft(goType, "[]*")]
}

// reachable returns the structs that are reachable from the given ones, which come first.
func (d *declared) reachable(from ...*structure) []*structure {
	var list []*structure
	var visit func(s *structure)
	visit = func(s *structure) {
		if s == nil || slices.Contains(list, s) {
			return
		}
		list = append(list, s)
		for _, f := range d.allFields(s) {
			if inner := d.inner(f.goType); inner != nil && (f.tsType == "" || f.goType == "method.Method") && !d.isRow(f.goType) {
				visit(inner)
			}
		}
	}
	for _, s := range from {
		visit(s)
	}
	return list
}

// isRow reports whether a type is a slice of float32 structs, which becomes one Float32Array.
func (d *declared) isRow(goType string) bool {
	elem, ok := strings.CutPrefix(goType, "[]")
	s := d.structs[elem]
	return ok && s != nil && !slices.ContainsFunc(d.allFields(s), func(f field) bool { return f.goType != "float32" })
}
