// Command fuzz tries the fuzz targets of the whole tree, one after the other, each for
// some time, and says of each how many inputs it tried. It finds them itself. An input
// that a target fails for is kept in its corpus, testdata/fuzz beside it: mend what is
// wrong and commit the input, with which every go test tries the target from then on.
//
//	go run ./tools/fuzz                         # a minute each
//	go run ./tools/fuzz -time 10s -only imaging # those whose folder and name match
//	go run ./tools/fuzz -list                   # say which there are, and run none
//
// Its tests hold the tree to having a target wherever bytes from outside are read, with
// a budget of memory and time (package internal/bombs).
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

func main() {
	each := flag.Duration("time", time.Minute, "how long each target is tried")
	only := flag.String("only", "", "try only the targets that this regular expression matches: core/sound FuzzDecode")
	list := flag.Bool("list", false, "list the targets, and try none")
	flag.Parse()
	if err := run(os.Stdout, *each, *only, *list); err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

// run tries the targets, all of them though some fail.
func run(out io.Writer, each time.Duration, only string, list bool) error {
	matches, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only %s: %w", only, err)
	}
	if flag.NArg() > 0 || each <= 0 {
		return errors.New("give a -time above 0, and the targets with -only")
	}
	all, err := targets(".")
	if err != nil {
		return err
	}
	tried := 0
	var failed []string
	for _, t := range all {
		if !matches.MatchString(t.String()) {
			continue
		}
		tried++
		if list {
			fmt.Fprintln(out, t)
			continue
		}
		said, err := t.try(each)
		if err != nil {
			failed = append(failed, t.String())
			said = "FAILED\n" + said
		}
		fmt.Fprintf(out, "%-60s %s\n", t, said)
	}
	switch {
	case tried == 0:
		return fmt.Errorf("-only %s matches none of the %d targets: -list says which there are", only, len(all))
	case len(failed) > 0:
		return fmt.Errorf("%d of %d targets failed: %s. The inputs lie in testdata/fuzz beside them", len(failed), tried, strings.Join(failed, ", "))
	}
	return nil
}

// try runs a target and returns what came of it, in a line; all output with an error.
func (t target) try(each time.Duration) (string, error) {
	// Minimizing is worth little for inputs that people do not read.
	cmd := exec.Command("go", "test", "-run", "^$", "-fuzz", "^"+t.name+"$", "-fuzztime", each.String(), "-fuzzminimizetime", "10x", "./"+t.folder)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), err
	}
	return summary(string(out)), nil
}

var executions = regexp.MustCompile(`execs: (\d+) .*new interesting: (\d+)`)

// summary says in a line what the last report of a run says.
func summary(out string) string {
	reports := executions.FindAllStringSubmatch(out, -1)
	if len(reports) == 0 {
		return "skipped: " + strings.Join(strings.Fields(out), " ")
	}
	last := reports[len(reports)-1]
	return fmt.Sprintf("%9s inputs, %s of them new", last[1], last[2])
}
