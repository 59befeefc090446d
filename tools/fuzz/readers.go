package main

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
)

// readers are the functions of the standard library, and of others, by which programs
// read formats: whoever calls one reads bytes of somebody else.
var readers = map[string][]string{
	"json":    {"Unmarshal", "NewDecoder"},
	"toml":    {"Decode", "NewDecoder", "Unmarshal", "DecodeFile"},
	"csv":     {"NewReader"},
	"zip":     {"NewReader", "OpenReader"},
	"tar":     {"NewReader"},
	"gzip":    {"NewReader"},
	"zlib":    {"NewReader"},
	"flate":   {"NewReader"},
	"brotli":  {"NewReader"},
	"xml":     {"Unmarshal", "NewDecoder"},
	"gob":     {"NewDecoder"},
	"binary":  {"Read"},
	"pickle":  {"NewUnpickler", "Load"},
	"pem":     {"Decode"},
	"x509":    {"ParseCertificate"},
	"mp3":     {"NewDecoder"},
	"png":     {"Decode", "DecodeConfig"},
	"jpeg":    {"Decode", "DecodeConfig"},
	"vp8":     {"NewDecoder"},
	"vp8l":    {"Decode", "DecodeConfig"},
	"webp":    {"Decode", "DecodeConfig"},
	"image":   {"Decode", "DecodeConfig"},
	"bufio":   {"NewScanner"},
	"strconv": {"Unquote"},

	// Numbers in binary files.
	"LittleEndian": {"Uint16", "Uint32", "Uint64"},
	"BigEndian":    {"Uint16", "Uint32", "Uint64"},
}

// reads lists the readers that a folder's programs, not its tests, call.
func reads(files []goFile) []string {
	var found []string
	for _, f := range files {
		if strings.HasSuffix(f.name, "_test.go") {
			continue
		}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			s, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			var of string
			switch x := s.X.(type) {
			case *ast.Ident:
				of = x.Name
			case *ast.SelectorExpr: // binary.LittleEndian
				of = x.Sel.Name
			}
			if name := of + "." + s.Sel.Name; slices.Contains(readers[of], s.Sel.Name) && !slices.Contains(found, name) {
				found = append(found, name)
			}
			return true
		})
	}
	slices.Sort(found)
	return found
}

// script finds what reads a format in JavaScript.
var script = regexp.MustCompile(`JSON\.parse\(|\.getUint(8|16|32)\(|\.getBigUint64\(|DecompressionStream\(|\.data_offsets`)
