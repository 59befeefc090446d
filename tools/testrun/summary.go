package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// allowed is the number of packages that may need a second run on a busy machine.
const allowed = 2

// event is a line of go test -json; go doc cmd/test2json describes it.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64 // seconds
}

// pkg is the state of a package in its latest run.
type pkg struct {
	elapsed float64 // seconds of all runs
	failed  bool
	whole   bool // all tests ran: the process did not end in one
	tests   map[string]*test
	output  strings.Builder // as go test prints it
}

type test struct {
	action string // pass, fail or skip; empty if it has not ended
	output []string
}

// rerun is an entry of the ledger.
type rerun struct {
	name   string
	tests  []string // those that failed; empty if the package failed as a whole
	output string
}

// summary collects the events of all runs.
type summary struct {
	out      io.Writer
	packages map[string]*pkg
	skipped  map[string][]string // tests by reason
	ledger   []rerun
}

func newSummary(out io.Writer) *summary {
	return &summary{out: out, packages: map[string]*pkg{}, skipped: map[string][]string{}}
}

// read reads events up to the end, and prints each package when it ends.
func (s *summary) read(events io.Reader) error {
	for decoder := json.NewDecoder(events); ; {
		var e event
		if err := decoder.Decode(&e); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("the output of go test -json: %w", err)
		}
		s.add(e)
	}
}

func (s *summary) add(e event) {
	if e.Action == "build-output" {
		fmt.Fprint(s.out, e.Output)
		return
	}
	if e.Package == "" {
		return
	}
	p := s.packages[e.Package]
	if p == nil {
		p = &pkg{tests: map[string]*test{}}
		s.packages[e.Package] = p
	}
	if e.Action == "start" {
		*p = pkg{elapsed: p.elapsed, tests: map[string]*test{}}
		return
	}
	if e.Test == "" {
		s.addToPackage(p, e)
		return
	}
	t := p.tests[e.Test]
	if t == nil {
		t = &test{}
		p.tests[e.Test] = t
	}
	switch e.Action {
	case "output":
		if !strings.HasPrefix(e.Output, "=== ") {
			t.output = append(t.output, e.Output)
		}
	case "pass", "fail", "skip":
		t.action = e.Action
		if e.Action == "fail" {
			p.output.WriteString(strings.Join(t.output, ""))
		}
		if e.Action == "skip" {
			reason := t.reason()
			s.skipped[reason] = append(s.skipped[reason], short(e.Package)+" "+e.Test)
		}
		t.output = nil
	}
}

// addToPackage adds an event of a package itself.
func (s *summary) addToPackage(p *pkg, e event) {
	switch e.Action {
	case "output":
		p.whole = p.whole || e.Output == "PASS\n" || e.Output == "FAIL\n"
		if e.Output != "PASS\n" {
			p.output.WriteString(e.Output)
		}
	case "pass", "fail", "skip":
		p.elapsed += e.Elapsed
		p.failed = e.Action == "fail"
		for _, name := range slices.Sorted(maps.Keys(p.tests)) {
			if t := p.tests[name]; t.action == "" && p.failed { // the process ended in it
				fmt.Fprint(&p.output, strings.Join(t.output, ""))
			}
		}
		fmt.Fprint(s.out, p.output.String())
	}
}

// place is what a test writes before its message.
var place = regexp.MustCompile(`^\s*\w+\.go:\d+: `)

// reason is the last message of a skipped test.
func (t *test) reason() string {
	for _, line := range slices.Backward(t.output) {
		if place.MatchString(line) {
			return strings.TrimSpace(place.ReplaceAllString(line, ""))
		}
	}
	return "without a reason"
}

// failedTests are the tests at the top level that failed, or did not end.
func (p *pkg) failedTests() (names []string) {
	for _, name := range slices.Sorted(maps.Keys(p.tests)) {
		if t := p.tests[name]; !strings.Contains(name, "/") && (t.action == "fail" || t.action == "") {
			names = append(names, name)
		}
	}
	return names
}

// pattern selects the tests that must run again: all of them if some did not run.
func (p *pkg) pattern() string {
	if names := p.failedTests(); p.whole && len(names) > 0 {
		return "^(" + strings.Join(names, "|") + ")$"
	}
	return "."
}

// note enters a package in the ledger, and returns the pattern of its tests to run again.
func (s *summary) note(name string) (pattern string) {
	p := s.packages[name]
	s.ledger = append(s.ledger, rerun{name, p.failedTests(), p.output.String()})
	return p.pattern()
}

func (s *summary) anyFailed() bool {
	for _, p := range s.packages {
		if p.failed {
			return true
		}
	}
	return false
}

// end returns the summary of a run that took so long.
func (s *summary) end(took time.Duration) string {
	var text strings.Builder
	if len(s.skipped) > 0 {
		text.WriteString("\nSkipped tests:\n")
	}
	for _, reason := range slices.Sorted(maps.Keys(s.skipped)) {
		slices.Sort(s.skipped[reason])
		fmt.Fprintf(&text, "  %s\n    %s\n", reason, strings.Join(slices.Compact(s.skipped[reason]), ", "))
	}
	text.WriteString("\nSlowest packages:\n")
	names := slices.SortedFunc(maps.Keys(s.packages), func(a, b string) int {
		return cmp.Compare(s.packages[b].elapsed, s.packages[a].elapsed)
	})
	for _, name := range names[:min(10, len(names))] {
		fmt.Fprintf(&text, "  %6.1fs %s\n", s.packages[name].elapsed, short(name))
	}
	text.WriteString("\n" + s.reruns())
	fmt.Fprintf(&text, "%d packages in %s", len(names), took.Round(time.Second))
	return text.String()
}

// reruns returns the ledger as text.
func (s *summary) reruns() string {
	var text strings.Builder
	for _, r := range s.ledger {
		fmt.Fprintf(&text, "Ran again: %s %s\n", short(r.name), strings.Join(r.tests, " "))
		for line := range strings.Lines(r.output) {
			text.WriteString("  | " + line)
		}
	}
	return text.String()
}

// verdict is the error of the whole run, nil if it passed.
func (s *summary) verdict() error {
	var failed []string
	for _, name := range slices.Sorted(maps.Keys(s.packages)) {
		if s.packages[name].failed {
			failed = append(failed, short(name))
		}
	}
	if len(failed) > 0 {
		return errors.New("failed: " + strings.Join(failed, " "))
	}
	if len(s.ledger) > allowed {
		return fmt.Errorf("%d packages needed a second run, %d may: fix the tests of the ledger above", len(s.ledger), allowed)
	}
	return nil
}

// short is a package's path in the module.
func short(name string) string { return strings.TrimPrefix(name, "github.com/deepemd/deepemd/") }
