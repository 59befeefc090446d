// Command vulnerabilities asks whether what the project ships has a known vulnerability
// that its code reaches: the command, and the programs for browsers. It builds
// govulncheck as the module in the folder govulncheck pins it.
//
//	go run ./tools/vulnerabilities                     # asks the database of Go
//	go run ./tools/vulnerabilities -db file:///folder  # asks a copy of it
//
// Where the database does not answer, it says so and succeeds: nothing was found, and
// nothing was looked for.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/tools/slim"
	"github.com/deepemd/deepemd/tools/thirdparty"
)

func main() {
	db := flag.String("db", "", "address of the database (default that of govulncheck)")
	flag.Parse()
	if err := run(*db); err != nil {
		fmt.Fprintln(os.Stderr, "vulnerabilities:", strings.TrimSpace(err.Error()))
		os.Exit(1)
	}
}

func run(db string) error {
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return err
	}
	root := filepath.Dir(strings.TrimSpace(string(mod)))
	modfile, err := slim.GoApp(root)
	if err != nil {
		return err
	}
	tool := filepath.Join(root, "build", "govulncheck")
	build := exec.Command("go", "-C", filepath.Join(root, "tools", "vulnerabilities", "govulncheck"), "build", "-o", tool, "golang.org/x/vuln/cmd/govulncheck")
	build.Env = append(os.Environ(), "GOFLAGS=")
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("govulncheck: %w\n%s", err, text)
	}
	var wrong []string
	for _, s := range thirdparty.Sources(modfile) {
		text, err := ask(tool, root, db, s)
		switch answer := judge(text, err); answer.what {
		case silent:
			fmt.Printf("Skipped: the database of vulnerabilities does not answer here, so nothing was looked for (%s).\n", answer.why)
			return nil
		case failed:
			return fmt.Errorf("%s: %w\n%s", s.Name, err, text)
		case vulnerable:
			fmt.Printf("%s:\n%s\n", s.Name, text)
			wrong = append(wrong, s.Name)
		case clean:
			fmt.Printf("%s: no known vulnerability\n", s.Name)
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%s: raise the modules that govulncheck names above", strings.Join(wrong, ", "))
	}
	return nil
}

// ask runs govulncheck on a program, with the settings that it is built with.
func ask(tool, root, db string, s thirdparty.Source) (text []byte, err error) {
	args := []string{}
	if db != "" {
		args = append(args, "-db", db)
	}
	goflags := "GOFLAGS="
	for _, flag := range s.Flags {
		if tags, ok := strings.CutPrefix(flag, "-tags="); ok {
			args = append(args, "-tags", tags)
		} else {
			goflags += flag
		}
	}
	cmd := exec.Command(tool, append(args, s.Package)...)
	cmd.Dir, cmd.Env = root, append(append(os.Environ(), s.Environment...), goflags)
	return cmd.CombinedOutput()
}

// What an answer can be.
const (
	clean      = "clean"
	vulnerable = "vulnerable"
	silent     = "silent" // the database's
	failed     = "failed"
)

type answer struct{ what, why string }

// found is how govulncheck ends when code reaches a vulnerability.
const found = 3

// judge tells from what govulncheck says, and how it ended, what it found.
func judge(text []byte, err error) answer {
	if err == nil {
		return answer{what: clean}
	}
	lines := strings.Split(string(bytes.TrimSpace(text)), "\n")
	const unanswered = "govulncheck: fetching vulnerabilities: "
	if i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, unanswered) }); i >= 0 {
		return answer{silent, strings.TrimPrefix(lines[i], unanswered)}
	}
	if exit, ok := err.(interface{ ExitCode() int }); ok && exit.ExitCode() == found {
		return answer{what: vulnerable}
	}
	return answer{what: failed}
}
