// Command dist makes a release, all of it, in build/dist: archives of the command for
// every platform, the site, the packages for npm as npm publishes them, the list of what
// is in them (SBOM, in the form of CycloneDX), the notices and the checksums.
//
//	go run ./tools/dist          # a release: the site is compressed as far as it goes, in minutes
//	go run ./tools/dist -draft   # the same but for a site that is compressed quickly, to try
//	go run ./tools/dist -draft -platforms linux/amd64   # and the command for some platforms only
//
// The same source gives the same bytes in whatever folder and on whatever day it is
// built; ARCHIVES.txt, which says what was run here and what was only built, is of the
// machine that made it and has no checksum. The reference of the JavaScript package is in
// the site where make docs has written it before, as make dist does.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/version"
	"github.com/deepemd/deepemd/tools/thirdparty"
)

func main() {
	draft := flag.Bool("draft", false, "compress the site quickly: no release, but something to try")
	platforms := flag.String("platforms", "", "platforms of the command with commas, such as linux/amd64: no release, but something to try (default all)")
	flag.Parse()
	if flag.NArg() > 0 {
		fail(fmt.Errorf("unexpected argument %q: this command takes flags only", flag.Arg(0)))
	}
	chosen, err := choose(*platforms)
	if err != nil {
		fail(err)
	}
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		fail(err)
	}
	root := filepath.Dir(strings.TrimSpace(string(mod)))
	r := &release{root: root, out: filepath.Join(root, "build", "dist"), work: filepath.Join(root, "build", ".dist"), draft: *draft, platforms: chosen}
	if err := r.make(); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "dist:", strings.TrimSpace(err.Error()))
	os.Exit(1)
}

// choose returns the platforms of a list, all where it is empty.
func choose(list string) ([]thirdparty.Platform, error) {
	if list == "" {
		return thirdparty.Platforms, nil
	}
	var chosen []thirdparty.Platform
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(thirdparty.Platforms, func(p thirdparty.Platform) bool { return p.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("-platforms: the command is not released for %q: want some of %v", name, thirdparty.Platforms)
		}
		chosen = append(chosen, thirdparty.Platforms[i])
	}
	return chosen, nil
}

// title is what names of archives begin with.
const title = "deepemd-" + version.Current

// release is one that is being made.
type release struct {
	root string // of the module
	out  string // where its files lie
	work string // where what they are made of lies

	draft     bool // compress quickly
	platforms []thirdparty.Platform

	inventory thirdparty.Inventory
	hashes    map[string]string // SHA-256 of programs, by their names in the inventory
	made      []file            // in the order of the list
}

// file is a file of the release.
type file struct {
	name  string
	about string // what it is
}

func (r *release) add(name, format string, args ...any) {
	r.made = append(r.made, file{name, fmt.Sprintf(format, args...)})
	fmt.Printf("%-40s %s\n", name, r.made[len(r.made)-1].about)
}

// make makes everything. What was there before is removed first: a release is whole or
// fails.
func (r *release) make() error {
	for _, folder := range []string{r.out, r.work} {
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
	}
	inv, err := thirdparty.Find(r.root)
	if err != nil {
		return err
	}
	r.inventory, r.hashes = inv, map[string]string{}
	for _, step := range []func() error{r.notices, r.commands, r.site, r.packages, r.bom, r.checksums, r.list} {
		if err := step(); err != nil {
			return err
		}
	}
	return os.RemoveAll(r.work)
}

// notices copies the licence and the notice of everything, if it is that of what is
// linked.
func (r *release) notices() error {
	for _, kept := range thirdparty.NoticeFiles {
		have, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(kept.Name)))
		if err != nil {
			return err
		}
		if string(have) != string(thirdparty.Notice(r.inventory, kept.Of...)) {
			return fmt.Errorf("%s is not up to date: go run ./tools/notice -write", kept.Name)
		}
	}
	for _, f := range []file{{"LICENSE", "the licence"}, {"NOTICE", "what others made of all this, with their licences; also in the archives"}} {
		data, err := os.ReadFile(filepath.Join(r.root, f.name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.out, f.name), data, 0o644); err != nil {
			return err
		}
		r.add(f.name, "%s", f.about)
	}
	return nil
}

// run runs the go command in the root.
func (r *release) run(environment []string, args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = r.root, append(os.Environ(), environment...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, text)
	}
	return nil
}
