// Command testrun runs the tests of the module and sums them up: the slowest packages,
// the skipped tests with their reasons, and the tests that it ran again. It prints the
// same lines as go test.
//
//	go run ./tools/testrun -browser REGEXP          # everything
//	go run ./tools/testrun -browser REGEXP -again   # run failed tests in browsers once more
//
// Packages that match -browser run last, two at once: a browser has several processes, and
// its tests often wait for it. With -again, every test that ran again is in the ledger, which testrun
// prints at the end and writes to build/reruns.txt. More than two packages in the ledger
// fail the run: then the tests fail, not the machine.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/deepemd/deepemd/internal/testsite"
)

func main() {
	browser := flag.String("browser", "^$", "packages whose tests drive a browser, as a regular expression")
	again := flag.Bool("again", false, "run the failed tests of those packages once more, and keep a ledger")
	flag.Parse()
	if err := run(*browser, *again); err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
		os.Exit(1)
	}
}

func run(browser string, again bool) error {
	pattern, err := regexp.Compile(browser)
	if err != nil {
		return err
	}
	list, err := exec.Command("go", "list", "./...").Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	began := time.Now()
	site, err := testsite.Site()
	if err != nil {
		return err
	}
	pages, others := split(strings.Fields(string(list)), pattern.MatchString)
	s := newSummary(os.Stdout)
	if err := goTest(s, others...); err != nil {
		return err
	}
	if err := goTest(s, append([]string{"-p", "2"}, pages...)...); err != nil {
		return err
	}
	for _, name := range pages {
		if p := s.packages[name]; again && p != nil && p.failed {
			if err := goTest(s, "-run", s.note(name), name); err != nil {
				return err
			}
		}
	}
	fmt.Println(s.end(time.Since(began)))
	if err := os.WriteFile(filepath.Join(filepath.Dir(site), "reruns.txt"), []byte(s.reruns()), 0o666); err != nil {
		return err
	}
	return s.verdict()
}

// split returns the elements that are, and those that are not.
func split(all []string, is func(string) bool) (those, others []string) {
	for _, one := range all {
		if is(one) {
			those = append(those, one)
		} else {
			others = append(others, one)
		}
	}
	return those, others
}

// goTest runs go test and hands its events to the summary. Failed tests are no error.
func goTest(s *summary, args ...string) error {
	cmd := exec.Command("go", slices.Concat([]string{"test", "-json", "-timeout", "40m"}, args)...)
	cmd.Stderr = os.Stderr
	events, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	failed := s.read(events)
	if failed != nil {
		io.Copy(io.Discard, events)
	}
	if err := cmd.Wait(); err != nil && !s.anyFailed() {
		return fmt.Errorf("go test: %w", err)
	}
	return failed
}
