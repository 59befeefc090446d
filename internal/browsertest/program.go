package browsertest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"testing"
	"time"
)

// startLimit limits the start of a program on a loaded machine.
const startLimit = 2 * time.Minute

// find returns the path of the first installed program, or ""; the environment variable, if it has a name and a
// value, overrides it.
func find(variable string, names ...string) string {
	if path := os.Getenv(variable); path != "" {
		return path
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// missing returns a function that returns the remedy unless find finds a program.
func missing(find func() string, remedy string) func() string {
	return func() string {
		if find() != "" {
			return ""
		}
		return remedy
	}
}

// program is a process, and its output, that ends with the test together with its children.
type program struct {
	cmd  *exec.Cmd
	over chan struct{} // closed at its end

	mu    sync.Mutex
	lines []string
}

func startProgram(t testing.TB, environment []string, name string, args ...string) (*program, error) {
	p := &program{cmd: exec.Command(name, args...), over: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), environment...)
	// All processes must have ended before the test's folders are removed.
	newGroup(p.cmd)
	out, in := io.Pipe()
	p.cmd.Stdout, p.cmd.Stderr = in, in
	// Child processes may keep its output open.
	p.cmd.WaitDelay = 5 * time.Second
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go p.read(out)
	go func() {
		p.cmd.Wait()
		in.Close()
		close(p.over)
	}()
	t.Cleanup(func() { p.end() })
	return p, nil
}

func (p *program) read(out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		p.mu.Lock()
		p.lines = append(p.lines, lines.Text())
		p.mu.Unlock()
	}
	io.Copy(io.Discard, out)
}

// said returns the output lines so far.
func (p *program) said() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lines[:len(p.lines):len(p.lines)]
}

// waitFor waits for an output line that matches, and returns the pattern's group.
func (p *program) waitFor(pattern *regexp.Regexp) (string, error) {
	for end := time.Now().Add(startLimit); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		for _, line := range p.said() {
			if found := pattern.FindStringSubmatch(line); found != nil {
				return found[1], nil
			}
		}
		select {
		case <-p.over:
			return "", fmt.Errorf("%s has ended and said %.500q", p.cmd.Path, p.said())
		default:
		}
	}
	return "", fmt.Errorf("%s has not said %v in %v, but %.500q", p.cmd.Path, pattern, startLimit, p.said())
}

// end terminates the program and its children, then kills the remaining ones.
func (p *program) end() {
	endGroup(p.cmd, false)
	select {
	case <-p.over:
	case <-time.After(10 * time.Second):
	}
	endGroup(p.cmd, true)
	<-p.over
}
