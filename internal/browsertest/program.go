package browsertest

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
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

	mu     sync.Mutex
	output strings.Builder
}

func startProgram(t testing.TB, environment []string, name string, args ...string) (*program, error) {
	p := &program{cmd: exec.Command(name, args...), over: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), environment...)
	// All processes must have ended before the test's folders are removed.
	newGroup(p.cmd)
	p.cmd.Stdout, p.cmd.Stderr = p, p
	// Child processes may keep its output open.
	p.cmd.WaitDelay = 5 * time.Second
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.cmd.Wait()
		close(p.over)
	}()
	t.Cleanup(func() { p.end() })
	return p, nil
}

// Write appends to the program's output.
func (p *program) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.output.Write(text)
}

// said returns the complete output lines so far.
func (p *program) said() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	lines := strings.Split(p.output.String(), "\n")
	return lines[:len(lines)-1]
}

// waitFor waits for an output line that matches, and returns the pattern's group.
func (p *program) waitFor(pattern *regexp.Regexp) (group string, err error) {
	err = p.wait(func() error {
		for _, line := range p.said() {
			if found := pattern.FindStringSubmatch(line); found != nil {
				group = found[1]
				return nil
			}
		}
		return fmt.Errorf("no line %v", pattern)
	})
	return group, err
}

// wait waits until the program is ready. It returns the last error if the program ends, or is too late.
func (p *program) wait(ready func() error) error {
	for end := time.Now().Add(startLimit); ; time.Sleep(50 * time.Millisecond) {
		err := ready()
		if err == nil {
			return nil
		}
		select {
		case <-p.over:
			return fmt.Errorf("%s has ended and said %.500q: %w", p.cmd.Path, p.said(), err)
		default:
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s is not ready after %v and said %.500q: %w", p.cmd.Path, startLimit, p.said(), err)
		}
	}
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
