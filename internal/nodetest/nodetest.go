// Package nodetest runs scripts of this project in Node for fuzz targets, which call them many
// times, and finds the compiler that checks their types.
package nodetest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

// Program is a script in Node that runs until its test ends. It calls the script's function answer,
// which may return a promise.
type Program struct {
	start func() *exec.Cmd

	one     sync.Mutex
	cmd     *exec.Cmd
	to      io.WriteCloser
	from    *bufio.Reader
	said    *bytes.Buffer // stderr
	asked   int
	restart int // number of calls
}

// Root returns the folder of the module, with slashes.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.ToSlash(filepath.Dir(filepath.Dir(filepath.Dir(file))))
}

// watch makes Go's cache of test results depend on the scripts, which only other programs read.
func watch(tb testing.TB) {
	tb.Helper()
	for _, folder := range []string{"internal/publish", "wasm/npm", "web/static/web", "web/examples/sort"} {
		require.Value(os.ReadDir(filepath.Join(Root(), folder)))(tb)
	}
}

// megabytes is the memory limit of a program.
const megabytes = 1000

// frame calls the function answer for each line of JSON, and writes the result.
const frame = `
import { createInterface } from "node:readline";
process.stdout.write("ready\n");
const reader = createInterface({ input: process.stdin, crlfDelay: Infinity });
for await (const line of reader) {
	let out;
	try {
		out = { answer: (await answer(JSON.parse(line))) ?? null };
	} catch (error) {
		out = { error: { code: String(error?.code ?? ""), name: String(error?.name), message: String(error?.message ?? error), stack: String(error?.stack ?? "") } };
	}
	process.stdout.write(JSON.stringify({ ...out, megabytes: process.resourceUsage().maxRSS / 1024 }) + "\n");
}
`

// Start starts a program from the source of a module with a function answer. ROOT in it is the URL
// of the module's folder, with a trailing slash. Without node in PATH, the test is skipped.
func Start(tb testing.TB, text string, args ...string) *Program {
	tb.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		tb.Skip("no node here: put node into PATH to try the scripts")
	}
	watch(tb)
	root := "file:///" + strings.TrimLeft(Root(), "/") + "/"
	module := fmt.Sprintf("const ROOT = %q;\n%s%s", root, text, frame)
	p := &Program{restart: 20_000, start: func() *exec.Cmd {
		return exec.Command(node, append([]string{"--max-old-space-size=1500", "--input-type=module", "--eval", module, "--"}, args...)...)
	}}
	tb.Cleanup(p.stop)
	p.begin(tb)
	return p
}

// Error is a JavaScript error.
type Error struct{ Code, Name, Message, Stack string }

// Ask calls the program and decodes its result into answer. It returns the error that the program
// throws, or nil. The test fails if the call takes longer than bombs.Longest, if the program uses
// more than a gigabyte of memory, or if it ends.
func (p *Program) Ask(tb testing.TB, question, answer any) *Error {
	tb.Helper()
	p.one.Lock()
	defer p.one.Unlock()
	if p.cmd == nil {
		p.begin(tb)
	}
	line, err := json.Marshal(question)
	require.NoError(tb, err)
	cmd := p.cmd
	late := time.AfterFunc(3*bombs.Longest(), func() { cmd.Process.Kill() })
	defer late.Stop()
	var got struct {
		Answer    json.RawMessage
		Error     *Error
		Megabytes float64
	}
	bombs.Budget(tb, 16<<20, 64, len(line), func() {
		if _, err = p.to.Write(append(line, '\n')); err == nil {
			if line, err = p.from.ReadBytes('\n'); err == nil {
				err = json.Unmarshal(line, &got)
			}
		}
	})
	if err != nil {
		p.end()
		tb.Fatalf("the program ended or did not answer in time (%v): %.4000s", err, p.said)
	}
	if got.Megabytes > megabytes {
		tb.Errorf("the program has come to take %.0f MB", got.Megabytes)
	}
	if p.asked++; p.asked == p.restart || got.Megabytes > megabytes {
		p.end() // so that memory is measured for few calls
	}
	if got.Error != nil {
		return got.Error
	}
	if err := json.Unmarshal(got.Answer, answer); err != nil {
		tb.Fatalf("%v in %.1000s", err, got.Answer)
	}
	return nil
}

// Restart makes the next call start a new program.
func (p *Program) Restart() {
	p.one.Lock()
	defer p.one.Unlock()
	p.end()
}

func (p *Program) begin(tb testing.TB) {
	tb.Helper()
	p.asked, p.said = 0, &bytes.Buffer{}
	cmd := p.start()
	cmd.Stderr = p.said
	cmd.WaitDelay = time.Second
	to := require.Value(cmd.StdinPipe())(tb)
	from := require.Value(cmd.StdoutPipe())(tb)
	require.NoError(tb, cmd.Start())
	p.cmd, p.to, p.from = cmd, to, bufio.NewReaderSize(from, 1<<20)
	// This takes seconds on a loaded machine.
	if line, err := p.from.ReadString('\n'); line != "ready\n" {
		p.end()
		tb.Fatalf("the program does not begin (%v): %s%.4000s", err, line, p.said)
	}
}

func (p *Program) end() {
	if p.cmd == nil {
		return
	}
	p.to.Close()
	p.cmd.Process.Kill()
	p.cmd.Wait()
	p.cmd = nil
}

func (p *Program) stop() {
	p.one.Lock()
	defer p.one.Unlock()
	p.end()
}
