package thirdparty

// A Platform is a kind of machine that the command is released for.
type Platform struct{ OS, Arch string }

// String is the platform as Go writes it, "linux/amd64".
func (p Platform) String() string { return p.OS + "/" + p.Arch }

// Platforms are those that the command is released for.
var Platforms = []Platform{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

// CommandPackage is the package of the command.
const CommandPackage = "./tools/deepemd"

// Environment is what the command is built with on every machine, as variables of the go
// command: no library of a system, the oldest processors, the experiment that the
// kernels need.
func (p Platform) Environment() []string {
	return []string{"GOOS=" + p.OS, "GOARCH=" + p.Arch, "GOAMD64=v1", "GOARM64=v8.0", "CGO_ENABLED=0", "GOEXPERIMENT=simd", "GOFLAGS=", "GOWORK=off"}
}

// A Source is how a program is built.
type Source struct {
	Name        string
	In          []Product
	Package     string   // as the go command takes it
	Environment []string // for the go command
	Flags       []string // of it that choose what is linked
}

// Sources are those of all programs that are shipped; the module file is the one that
// slim.GoApp makes. Those for browsers are built by tools/build, whose test compares.
func Sources(modfile string) []Source {
	var all []Source
	for _, p := range Platforms {
		all = append(all, Source{"deepemd " + p.String(), []Product{Command}, CommandPackage, p.Environment(), nil})
	}
	js := []string{"GOOS=js", "GOARCH=wasm", "GOEXPERIMENT=simd,nojsonv2", "GOFLAGS=", "GOWORK=off"}
	wasip1 := append([]string{"GOOS=wasip1"}, js[1:]...)
	kit := []Product{Site, NPM}
	return append(all,
		Source{"deepemd.wasm", kit, "./wasm/engine", js, nil},
		Source{"deepemd-sound.wasm", kit, "./wasm/engine", js, []string{"-tags=sound"}},
		Source{"deepemd-gallery.wasm", kit, "./wasm/gallery", wasip1, nil},
		Source{"deepemd-solver.wasm", kit, "./wasm/solver", wasip1, nil},
		Source{"app.wasm", []Product{Site}, "./web/studio", js, []string{"-modfile=" + modfile}},
	)
}
