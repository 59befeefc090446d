//go:build !js

package node_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// A Go program that has nothing to run but timers waits, as one does whose collector holds it up.
func TestProgramsWait(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node here to run programs in")
	}
	folder := t.TempDir()
	build := exec.Command("go", "build", "-buildmode=c-shared", "-o", filepath.Join(folder, "sleeper.wasm"), "./testdata/sleeper")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	wasi, err := os.ReadFile("../../../npm/wasi.js")
	require.NoError(t, err)
	for name, text := range map[string]string{
		"wasi.mjs": string(wasi),
		"main.mjs": `
			import { readFile } from "node:fs/promises";
			import { Host } from "./wasi.mjs";
			const module = await WebAssembly.compile(await readFile("sleeper.wasm"));
			const host = new Host();
			const { exports } = await WebAssembly.instantiate(module, host.importsOf(module));
			host.memory = exports.memory;
			exports._initialize();
			const passed = exports.sleep(30);
			console.log(passed >= 30 && passed < 20000, exports.sleep(0) < 20000, host.reason());`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	node := exec.Command("node", "main.mjs")
	node.Dir = folder
	out, err := node.CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != "true true undefined" {
		t.Errorf("%v: %s", err, got)
	}
}
