package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/tools/wasmopt"
)

func TestFunctionsBelongToPackages(t *testing.T) {
	packages := []string{"runtime", "image", "image/png", "golang.org/x/image/vp8", "example.com/a/b", "example.com/a/program"}
	var functions []wasmopt.Function
	for name, size := range map[string]int{
		"runtime.mallocgc": 10, "memeqbody": 1, "type_.eq.example.com_a_b.T": 2, "image.Decode": 30, "image_png.__decoder_.parse": 40,
		"image_png.init.func1": 4, "golang.org_x_image_vp8.New": 50, "example.com_a_b.F_go.shape.int_.func1": 60, "main.main": 70,
	} {
		functions = append(functions, wasmopt.Function{Name: name, Code: bytes.Repeat([]byte{1}, size)})
	}
	var got []string
	costs := byPackage(functions, packages)
	for _, c := range costs {
		got = append(got, c.pkg)
	}
	want := "example.com/a/program example.com/a/b golang.org/x/image/vp8 image/png image runtime"
	if strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", strings.Join(got, " "), want)
	}
	for i, size := range []int{70, 60, 50, 44, 30, 13} {
		if len(costs[i].code) != size {
			t.Errorf("%s: %d bytes, want %d", costs[i].pkg, len(costs[i].code), size)
		}
	}
	var out bytes.Buffer
	if err := printProgram(&out, "p.wasm", costs); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2+len(costs) || lines[0] != "p.wasm: 267 bytes of code" || !strings.HasSuffix(lines[2], " example.com/a/program") {
		t.Errorf("printed:\n%s", &out)
	}
}
