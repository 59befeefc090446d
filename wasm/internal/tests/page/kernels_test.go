//go:build !js

package page_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/wasmopt"
)

// kernelsPage runs a Go test program, whose output it returns. The program may be undone
// first, as in a browser without relaxed SIMD.
const kernelsPage = `<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><script src="/npm/wasm_exec.js"></script>
<script type="module">
import { unfused } from "/npm/unfuse.js";
window.runTests = async (url, undo) => {
	let code = new Uint8Array(await (await fetch(url)).arrayBuffer());
	if (undo) code = unfused(code);
	let output = "";
	const text = (bytes) => new TextDecoder().decode(bytes);
	fs.writeSync = (file, bytes) => { output += text(bytes); return bytes.length; };
	fs.write = (file, bytes, offset, length, position, done) => { output += text(bytes.subarray(offset, offset + length)); done(null, length); };
	const go = new Go();
	go.argv = ["test", "-test.run=^Test", "-test.v"];
	const { instance } = await WebAssembly.instantiate(code, go.importObject);
	await go.run(instance);
	return output;
};
</script>`

// TestKernelsInTheBrowser runs the kernels' own tests in three forms: as the compiler made
// them, optimized, and with the fusing undone. Products of bytes are exact, and so the same in
// all of them.
func TestKernelsInTheBrowser(t *testing.T) {
	dir := t.TempDir()
	plain, fused := filepath.Join(dir, "plain.wasm"), filepath.Join(dir, "fused.wasm")
	build := exec.Command("go", "test", "-c", "-o", plain, "github.com/deepemd/deepemd/internal/kernel")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	module := require.Value(os.ReadFile(plain))(t)
	module = require.Value(wasmopt.Optimize(module, wasmopt.Options{Kernels: true}))(t)
	require.NoError(t, os.WriteFile(fused, module, 0o666))
	mux := http.NewServeMux()
	mux.Handle("/npm/", http.StripPrefix("/npm/", http.FileServer(http.Dir("../../../npm"))))
	mux.Handle("/built/", http.StripPrefix("/built/", http.FileServer(http.Dir(dir))))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte(kernelsPage))
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	b := browsertest.Start(t, browsertest.Options{})
	b.Open(server.URL)
	for _, form := range []struct{ name, call, kernels string }{
		{"plain", `"/built/plain.wasm", false`, "simd128"},
		{"fused", `"/built/fused.wasm", false`, "simd128-fma"},
		{"undone", `"/built/fused.wasm", true`, "simd128"},
	} {
		output := browsertest.Eval[string](b, "runTests("+form.call+")")
		for _, want := range []string{"\nPASS\n", "--- PASS: TestBytePanel/" + form.kernels + " ", "--- PASS: TestBytesQuadsAndPairs"} {
			if !strings.Contains(output, want) {
				t.Errorf("%s: no %q in\n%s", form.name, want, output)
			}
		}
	}
	// A program that has exited leaves timers behind, which the page reports: no NoProblems.
}
