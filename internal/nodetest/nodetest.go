// Package nodetest asks scripts of this project in Node, one question after the other, for
// tests that ask many: fuzz targets.
package nodetest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
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

// Program is a program that runs in Node as long as the test that started it. It answers
// by the function that it exports as default, which may return a promise.
type Program struct {
	start func() *exec.Cmd

	one     sync.Mutex
	cmd     *exec.Cmd
	to      io.WriteCloser
	from    *bufio.Reader
	said    *bytes.Buffer // on stderr
	asked   int
	restart int // after so many questions
}

// Root is the folder of the module, with slashes.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.ToSlash(filepath.Dir(filepath.Dir(filepath.Dir(file))))
}

// megabytes are how much memory a program may have come to use, all in all.
const megabytes = 1000

// frame asks the function answer, a line of JSON each, and says what came of it.
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

// Start makes a program of the text of a module that has a function answer, which takes
// what is asked. ROOT in it is the module's folder, as a URL that ends with a slash. A test
// without node in PATH is skipped.
func Start(tb testing.TB, text string, args ...string) *Program {
	tb.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		tb.Skip("no node here: put node into PATH to try the scripts")
	}
	root := "file:///" + strings.TrimLeft(Root(), "/") + "/"
	module := fmt.Sprintf("const ROOT = %q;\n%s%s", root, text, frame)
	p := &Program{restart: 20_000, start: func() *exec.Cmd {
		return exec.Command(node, append([]string{"--max-old-space-size=1500", "--input-type=module", "--eval", module, "--"}, args...)...)
	}}
	tb.Cleanup(p.stop)
	p.begin(tb)
	return p
}

// Error is what a question failed with, as JavaScript says it.
type Error struct{ Code, Name, Message, Stack string }

// Ask asks the program and puts what it answers into answer. It returns the error that
// the answer is, nil for none. The test fails when the answer takes longer than
// bombs.Longest, or the program by then more than a gigabyte of memory, or when it ends.
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
		p.end() // so that what it takes is of few questions
	}
	if got.Error != nil {
		return got.Error
	}
	if err := json.Unmarshal(got.Answer, answer); err != nil {
		tb.Fatalf("%v in %.1000s", err, got.Answer)
	}
	return nil
}

// Restart has the next question asked of a program that knows nothing of those before.
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
	// It takes seconds on a busy machine.
	if line, err := p.from.ReadString('\n'); line != "ready\n" {
		p.end()
		tb.Fatalf("the program does not begin (%v): %s%.4000s", err, line, p.said)
	}
}

// end ends the program, if one runs.
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
