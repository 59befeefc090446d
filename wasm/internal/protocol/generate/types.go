package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/jsvalue"
	"github.com/deepemd/deepemd/wasm/internal/host"
	"github.com/deepemd/deepemd/wasm/internal/protocol"
)

// types returns wasm/npm/protocol.d.ts: requests, replies, their types, and error codes.
func (s *source) types(messages []protocol.Message) ([]byte, error) {
	var b strings.Builder
	b.WriteString(`/**
 * The messages between the page, the worker and the engine. Generated from
 * wasm/internal/protocol and core/answer: change it there.
 */

import type { MethodOption, Picture } from "./deepemd.js";
import type { WebAssemblyModule } from "./global.js";

/** The reason for a failed call. */
export type ErrorCode =
`)
	for i, c := range s.codes {
		fmt.Fprintf(&b, "  /** %s. */\n  | %q%s\n", upper(c.doc), c.name, ending(i, len(s.codes)))
	}
	supported := host.Choices()
	choices(&b, "Classifier", "The classifier.", supported.Classifiers)
	choices(&b, "Weighting", "The weighting of nodes.", supported.Weightings)
	choices(&b, "Solver", "The solver that matches nodes.", supported.Solvers)
	b.WriteString("\n/** Every request that a worker answers. */\nexport type Request =\n")
	var inner, replies []reflect.Type
	for i, m := range messages {
		t := reflect.TypeOf(m.Request).Elem()
		comment(&b, "  ", s.comments[t.String()])
		fmt.Fprintf(&b, "  | {\n      type: %q;\n", protocol.Type(m.Request))
		if err := s.properties(&b, "      ", t); err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "    }%s\n", ending(i, len(messages)))
		inner = append(inner, reachable(t)[1:]...)
	}
	b.WriteString("\n/** The fields of replies besides id and ok. The replies of other requests have no fields. */\nexport interface Replies {\n")
	for _, m := range messages {
		if m.Reply != nil {
			reply := reflect.TypeOf(m.Reply).Elem()
			fmt.Fprintf(&b, "  %s: %s;\n", protocol.Type(m.Request), reply.Name())
			replies = append(replies, reply)
		}
	}
	b.WriteString("}\n")
	for _, t := range reachable(append(inner, replies...)...) {
		doc := s.comments[t.String()]
		if path.Base(t.PkgPath()) == "method" { // the rest is for Go
			doc, _, _ = strings.Cut(doc, ". ")
		}
		b.WriteString("\n")
		comment(&b, "", doc)
		fmt.Fprintf(&b, "export interface %s {\n", t.Name())
		if err := s.properties(&b, "  ", t); err != nil {
			return nil, err
		}
		b.WriteString("}\n")
	}
	return []byte(b.String()), nil
}

// reachable returns the structs that are reachable from the given ones, which come first.
func reachable(from ...reflect.Type) (list []reflect.Type) {
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		if !isRow(t) && (t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer) {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || slices.Contains(list, t) {
			return
		}
		list = append(list, t)
		for _, p := range propertiesOf(t) {
			if p.Tag.Get("ts") == "" || p.Type == reflect.TypeFor[method.Method]() {
				visit(p.Type)
			}
		}
	}
	for _, t := range from {
		visit(t)
	}
	return list
}

type property struct {
	reflect.StructField
	of   reflect.Type // its struct
	name string       // in JavaScript
	omit bool         // if it is zero
}

// propertiesOf returns the fields of a struct and of its embedded structs that are properties in JavaScript.
func propertiesOf(t reflect.Type) (list []property) {
	for f := range t.Fields() {
		if f.Anonymous {
			list = append(list, propertiesOf(f.Type)...)
		} else if f.IsExported() || f.Name == "_" {
			name, omit := jsvalue.Name(f.Name, f.Tag)
			list = append(list, property{f, t, name, omit})
		}
	}
	return list
}

// isRow reports whether a type is a slice of structs of float32, which becomes one Float32Array.
func isRow(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct &&
		!slices.ContainsFunc(propertiesOf(t.Elem()), func(p property) bool { return p.Type.Kind() != reflect.Float32 })
}

func (s *source) properties(b *strings.Builder, indent string, t reflect.Type) error {
	for _, p := range propertiesOf(t) {
		typescript := cmp.Or(p.Tag.Get("ts"), typeOf(p.Type))
		if typescript == "" {
			return fmt.Errorf("%v.%s: the page has no type for %v", t, p.Name, p.Type)
		}
		optional := ""
		if p.omit || p.Type.Kind() == reflect.Pointer {
			optional = "?"
		}
		doc := upper(s.comments[p.of.String()+"."+p.name])
		if t == reflect.TypeFor[method.Method]() {
			usual, err := json.Marshal(reflect.ValueOf(method.Default()).FieldByIndex(p.Index).Interface())
			if err != nil {
				return err
			}
			doc = upper(strings.TrimPrefix(doc+"; default "+string(usual), "; "))
		}
		if doc != "" {
			comment(b, indent, doc)
		}
		fmt.Fprintf(b, "%s%s%s: %s;\n", indent, p.name, optional, typescript)
	}
	return nil
}

// typeOf returns the type of the page for a type in Go, or "".
func typeOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return "number"
	case reflect.Struct:
		return t.Name()
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Struct {
			return t.Elem().Name()
		}
	case reflect.Array, reflect.Slice:
		switch elem := typeOf(t.Elem()); {
		case t == reflect.TypeFor[[]byte]():
			return "Uint8Array"
		case t == reflect.TypeFor[[]float32](), isRow(t):
			return "Float32Array"
		case elem != "":
			return elem + "[]"
		}
	}
	return ""
}

// choices writes the names that a page supports.
func choices(b *strings.Builder, name, what string, all []method.Name) {
	fmt.Fprintf(b, "\n/** %s */\nexport type %s =\n", what, name)
	for i, n := range all {
		fmt.Fprintf(b, "  /** %s. */\n  | %q%s\n", upper(n.What), n.Name, ending(i, len(all)))
	}
}

// table returns wasm/npm/method.js: the data about methods and projects that needs no engine.
func table() ([]byte, error) {
	var settings []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[method.Embedder]()) {
		name, _ := jsvalue.Name(f.Name, f.Tag)
		settings = append(settings, name)
	}
	kinds := map[string]method.Embedder{}
	for _, kind := range method.Embedders() {
		kinds[kind.Name] = method.Embedder{Kind: kind.Name}.Complete()
	}
	var b strings.Builder
	b.WriteString(`// @ts-check
/**
 * What can be known of methods and projects without an engine. Generated from
 * core/method and core/project: change it there.
 */
`)
	for _, c := range []struct {
		name, what string
		value      any
	}{
		{"defaults", `The default method, which fills in what a project file leaves out. @type {import("./protocol.d.ts").Method}`, method.Default()},
		{"embedders", `The embedders of each kind, complete. @type {Record<string, import("./protocol.d.ts").Embedder>}`, kinds},
		{"settings", "The settings of embedders.", settings},
		{"FORMAT", "The first field of a project's manifest.", project.Format},
		{"VERSION", "The version of that.", project.Version},
		{"KINDS", "The kinds of projects.", []string{project.KindImage, project.KindSound, project.KindFeatures}},
		{"NOTHING", "What a project with a background class requires: a reader that takes it for a class like the others would answer wrongly.", project.RequiresNothing},
		{"limits", "The most classes and examples of a project, nodes of a picture, channels of a node, and characters (code points) of a name or an id.", struct {
			Classes  int `json:"classes"`
			Examples int `json:"examples"`
			Nodes    int `json:"nodes"`
			Channels int `json:"channels"`
			Text     int `json:"text"`
		}{project.MaxClasses, project.MaxExamples, method.MaxNodes, method.MaxChannels, method.MaxText}},
	} {
		text, err := json.MarshalIndent(c.value, "", "  ")
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "\n/** %s */\nexport const %s = %s;\n", c.what, c.name, text)
	}
	return []byte(b.String()), nil
}

func upper(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func ending(i, n int) string {
	if i == n-1 {
		return ";"
	}
	return ""
}

// comment writes a comment, wrapped to a readable width.
func comment(b *strings.Builder, indent, text string) {
	const width = 110
	if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "…") {
		text += "."
	}
	if len(text) <= width {
		fmt.Fprintf(b, "%s/** %s */\n", indent, text)
		return
	}
	fmt.Fprintf(b, "%s/**\n", indent)
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			fmt.Fprintf(b, "%s * %s\n", indent, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	fmt.Fprintf(b, "%s * %s\n%s */\n", indent, line, indent)
}
