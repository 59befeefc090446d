package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/version"
	"github.com/deepemd/deepemd/tools/thirdparty"
)

// systems are the names by which users know operating systems.
var systems = map[string]string{"linux": "Linux", "darwin": "macOS", "windows": "Windows"}

// commands makes the archives of the command, and runs what this machine can run.
func (r *release) commands() error {
	for _, p := range r.platforms {
		program := filepath.Join(r.work, p.OS+"-"+p.Arch, "deepemd")
		if p.OS == "windows" {
			program += ".exe"
		}
		if err := r.build(p, program); err != nil {
			return err
		}
		how, err := r.try(p, program)
		if err != nil {
			return fmt.Errorf("deepemd for %s: %w", p, err)
		}
		below := fmt.Sprintf("%s-%s-%s", title, p.OS, p.Arch)
		name := below + ".tar.gz"
		if p.OS == "windows" {
			name = below + ".zip"
		}
		entries := []entry{
			{below + "/LICENSE", filepath.Join(r.root, "LICENSE"), false},
			{below + "/NOTICE", filepath.Join(r.root, "NOTICE"), false},
			{below + "/" + filepath.Base(program), program, true},
		}
		if err := pack(filepath.Join(r.out, name), entries); err != nil {
			return err
		}
		r.add(name, "the command for %s, %s: %s", systems[p.OS], p.Arch, how)
	}
	return nil
}

// build compiles the command, and compares what it links with the inventory.
func (r *release) build(p thirdparty.Platform, program string) error {
	// Neither the folder nor the commit is in the program, nor what debuggers need.
	if err := r.run(p.Environment(), "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", program, thirdparty.CommandPackage); err != nil {
		return err
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	name := "deepemd " + p.String()
	r.hashes[name] = fmt.Sprintf("%x", sha256.Sum256(data))
	info, err := buildinfo.Read(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return agrees(r.inventory, name, info)
}

// agrees returns an error if a program links other modules than the inventory says.
func agrees(inv thirdparty.Inventory, name string, info *buildinfo.BuildInfo) error {
	i := slices.IndexFunc(inv.Programs, func(p thirdparty.Program) bool { return p.Name == name })
	if i < 0 {
		return fmt.Errorf("%s is in no inventory", name)
	}
	known := map[string]string{}
	for _, part := range inv.Parts {
		known[part.Ref] = part.Name + " " + part.Version
	}
	var listed, linked []string
	for _, ref := range inv.Programs[i].Parts {
		if !strings.HasPrefix(ref, "pkg:golang/std@") {
			listed = append(listed, known[ref])
		}
	}
	for _, m := range info.Deps {
		linked = append(linked, m.Path+" "+m.Version)
	}
	slices.Sort(listed)
	slices.Sort(linked)
	if !slices.Equal(listed, linked) {
		return fmt.Errorf("%s links\n%s\nand the inventory lists\n%s", name, strings.Join(linked, "\n"), strings.Join(listed, "\n"))
	}
	return nil
}

// try runs a program where this machine can, and says how, or that it was only built.
func (r *release) try(p thirdparty.Platform, program string) (string, error) {
	runner, how := runner(p)
	if how == "" {
		return "built, not run here", nil
	}
	run := func(args ...string) (string, error) {
		cmd := exec.Command(program, args...)
		if runner != "" {
			cmd = exec.Command(runner, append([]string{program}, args...)...)
		}
		cmd.Dir = r.work
		text, err := cmd.CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("deepemd %s: %w\n%s", strings.Join(args, " "), err, text)
		}
		return string(text), nil
	}
	said, err := run("version")
	if err != nil {
		return "", err
	}
	if !strings.Contains(said, version.Current) {
		return "", fmt.Errorf("deepemd version says %q, want %s", said, version.Current)
	}
	// A network, its kernels and the transport between two pictures.
	demo := filepath.Join(r.root, "web", "static", "web", "demo")
	drawn := filepath.Join(r.work, "why-"+p.OS+"-"+p.Arch+".png")
	if _, err := run("explain", filepath.Join(demo, "apple-1.jpg"), filepath.Join(demo, "apple-2.jpg"), "--what", "overview", "--out", drawn); err != nil {
		return "", err
	}
	if info, err := os.Stat(drawn); err != nil || info.Size() == 0 {
		return "", fmt.Errorf("deepemd explain drew nothing: %v", err)
	}
	return how, nil
}

// runner returns what runs programs of a platform here, "" for the system itself, and
// how that is called; "" where nothing does.
func runner(p thirdparty.Platform) (program, how string) {
	if p.OS == runtime.GOOS && p.Arch == runtime.GOARCH {
		return "", "run here"
	}
	if p.OS == "linux" && runtime.GOOS == "linux" && p.Arch == "arm64" {
		for _, name := range []string{"qemu-aarch64", "qemu-aarch64-static"} {
			if found, err := exec.LookPath(name); err == nil {
				return found, "run here by " + name
			}
		}
	}
	return "", ""
}
