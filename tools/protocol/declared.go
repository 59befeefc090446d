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
	"unicode"
)

// rooms are the packages whose structs travel, by name.
var rooms = map[string]string{
	"protocol": "wasm/internal/protocol",
	"learner":  "core/learner",
	"method":   "core/method",
}

// directive marks a request.
const directive = "deepemd:request"

// declared is what the source declares.
type declared struct {
	structs  map[string]*structure // by "package.Name"
	requests []*structure          // in the order of files and of declarations
	codes    []code
	defaults map[string]bool // structs whose package has a function Default that returns one
}

// structure is one struct of a package.
type structure struct {
	room, name string
	doc        []string // lines, without directives
	fields     []field
}

// field is a field as it travels.
type field struct {
	name      string // in Go; "_" for those of the worker
	wire      string // in JavaScript
	goType    string // qualified: "[]answer.Score"
	tsType    string // of the tag ts, or ""
	omitEmpty bool
	doc       string
}

// code is a code of errors.
type code struct{ name, doc string }

func (s *structure) goName() string { return s.room + "." + s.name }

// byHand are the structs that a hand-written function reads.
var byHand = map[string]bool{"learner.Picture": true}

// parse reads the declarations of all rooms below root.
func parse(root string) (*declared, error) {
	d := &declared{structs: map[string]*structure{}, defaults: map[string]bool{}}
	for _, room := range []string{"learner", "method", "protocol"} {
		if err := d.parseRoom(room, filepath.Join(root, filepath.FromSlash(rooms[room]))); err != nil {
			return nil, err
		}
	}
	for _, s := range d.structs {
		if err := d.check(s); err != nil {
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
			switch decl := decl.(type) {
			case *ast.GenDecl:
				d.parseDecl(room, decl)
			case *ast.FuncDecl:
				if decl.Recv == nil && decl.Name.Name == "Default" {
					d.defaults[qualified(room, decl.Type.Results.List[0].Type)] = true
				}
			}
		}
	}
	return nil
}

func (d *declared) parseDecl(room string, decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			t, ok := spec.Type.(*ast.StructType)
			if !ok || spec.TypeParams != nil || !spec.Name.IsExported() {
				continue
			}
			doc := spec.Doc
			if doc == nil {
				doc = decl.Doc
			}
			s := &structure{room: room, name: spec.Name.Name}
			request := false
			if doc != nil {
				for _, line := range doc.List {
					request = request || strings.TrimSpace(strings.TrimPrefix(line.Text, "//")) == directive
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

// parseCode takes a constant of type learner.Code.
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

// fieldsOf takes the exported fields, and those of the worker, of a line of a struct.
func fieldsOf(room string, f *ast.Field) []field {
	var list []field
	tag := reflect.StructTag("")
	if f.Tag != nil {
		text, _ := strconv.Unquote(f.Tag.Value)
		tag = reflect.StructTag(text)
	}
	doc := strings.Join(strings.Fields(f.Doc.Text()+" "+f.Comment.Text()), " ")
	for _, name := range f.Names {
		if !name.IsExported() && name.Name != "_" {
			continue
		}
		wire, options, _ := strings.Cut(cmp.Or(tag.Get("wire"), tag.Get("json")), ",")
		if wire == "" {
			wire = wireName(name.Name)
		}
		list = append(list, field{
			name: name.Name, wire: wire, goType: qualified(room, f.Type), tsType: tag.Get("ts"),
			omitEmpty: options == "omitempty", doc: doc,
		})
	}
	return list
}

// qualified writes a type with the package of every name.
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

// wireName is a field's name in JavaScript: "ClassID" is classId, "EmbedMS" embedMs.
func wireName(name string) string {
	for _, initials := range []string{"ID", "MS"} {
		if cut, ok := strings.CutSuffix(name, initials); ok {
			name = cut + initials[:1] + strings.ToLower(initials[1:])
		}
	}
	return strings.ToLower(name[:1]) + name[1:]
}

// reply is the struct that answers a request, nil for none.
func (d *declared) reply(request *structure) *structure {
	return d.structs["protocol."+request.name+"Reply"]
}

// check returns an error for a declaration that nothing can carry.
func (d *declared) check(s *structure) error {
	if s.room != "protocol" {
		return nil
	}
	if strings.Join(s.doc, "") == "" {
		return fmt.Errorf("protocol.%s has no comment", s.name)
	}
	if request, ok := strings.CutSuffix(s.name, "Reply"); ok && !slices.ContainsFunc(d.requests, func(r *structure) bool { return r.name == request }) {
		return fmt.Errorf("protocol.%s answers no request", s.name)
	}
	for _, f := range s.fields {
		if !unicode.IsLower(rune(f.wire[0])) {
			return fmt.Errorf("protocol.%s: field %s", s.name, f.wire)
		}
		if f.name == "_" && f.tsType == "" {
			return fmt.Errorf("protocol.%s: the worker's field %s has no type: give it a tag ts", s.name, f.wire)
		}
	}
	return nil
}

// reached lists the structs that can be come to from some, those first.
func (d *declared) reached(from ...*structure) []*structure {
	var list []*structure
	var visit func(s *structure)
	visit = func(s *structure) {
		if s == nil || slices.Contains(list, s) {
			return
		}
		list = append(list, s)
		for _, f := range s.fields {
			if !byHand[f.goType] {
				visit(d.structs[strings.TrimLeft(f.goType, "[]*")])
			}
		}
	}
	for _, s := range from {
		visit(s)
	}
	return list
}
