// Command bench measures this project beside its peers in one run: ours, theirs
// and the ratio, medians over repetitions in which the two take turns, so that
// a machine whose speed drifts slows both. Peers that are not installed are left
// out, and ours is printed alone; make bench-peers installs them.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/cpu"

	"github.com/deepemd/deepemd/internal/kernel"
)

// section is one part of the benchmark.
type section struct {
	name, what string
	run        func(b *bench) error
	processor  bool // nothing but the processor is measured: the report tells it
}

var sections = []section{
	{"native", "ResNet-12 (640) forward, native", native, true},
	{"train", "pre-training step of ResNet-12 (640), two threads", train, true},
	{"emd", "50 transport problems, one thread", emd, true},
	{"layer", "differentiable EMD layer, n = 25, forward and backward, two threads", layers, true},
	{"browser", "in Chromium, ours on one thread where no pool is named", browser, false},
	{"solver", "deepemd/solver in Chromium, one thread", solverAlone, false},
	{"size", "engine on the wire", size, false},
	{"start", "navigation to first prediction, fresh browser", start, false},
	{"live", "live in Chromium: resnet12-s, 84 px, 5 classes of 5 examples", live, false},
	{"learn", "learning 5 classes of 5 examples in Chromium: resnet12-s, 84 px", learn, false},
	{"pool", "a pool of workers in Chromium, 84 px", pool, false},
	{"memory", "memory of a live page: resnet12-s, 84 px", memory, false},
}

// bench holds the settings and collects the rows.
type bench struct {
	repetitions int
	match       string // only rows whose names hold this
	peers, site string
	softwareGPU bool          // WebGPU without hardware, too
	live        time.Duration // how long memory watches
	rows        []row
	peerNotes   map[string]string // why a peer is left out
}

func main() {
	var names []string
	for _, s := range sections {
		names = append(names, s.name)
	}
	only := flag.String("only", strings.Join(names, ","), "sections to run")
	match := flag.String("match", "", "of the sections, only rows whose names hold this text")
	quick := flag.Bool("quick", false, "few repetitions: to see that it works, not to quote")
	asJSON := flag.Bool("json", false, "print JSON")
	peers := flag.String("peers", "build/peers", "where make bench-peers installed the browser's peers")
	site := flag.String("site", "build/site", "the built site")
	softwareGPU := flag.Bool("software-gpu", false, "let browser run WebGPU back ends in software where it has no adapter: to see that they work, not to quote")
	minutes := flag.Float64("minutes", 1, "how long the section memory watches a live page")
	flag.Parse()

	b := &bench{
		repetitions: 11, match: *match, peers: *peers, site: *site, softwareGPU: *softwareGPU, peerNotes: map[string]string{},
		live: time.Duration(*minutes * float64(time.Minute)),
	}
	if *quick {
		b.repetitions = 3
	}
	if err := b.run(strings.Split(*only, ","), !*asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	if *asJSON {
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		if err := out.Encode(map[string]any{"processor": processor(), "rows": b.rows, "leftOut": b.peerNotes}); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
	}
}

func (b *bench) run(only []string, print bool) error {
	measured := map[string][]row{}
	if print {
		fmt.Printf("%s; kernels %s; medians of %d\n", processor(), kernel.Name(), b.repetitions)
	}
	for _, name := range only {
		s, ok := find(name)
		if !ok {
			return fmt.Errorf("no section %q: see -help", name)
		}
		from := len(b.rows)
		if print {
			fmt.Printf("\n%s\n", s.what)
		}
		err := s.run(b)
		if errors.Is(err, errNoChromium) {
			b.peerNotes["a browser, so nothing is measured"], err = err.Error(), nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		measured[s.name] = b.rows[from:]
		if print {
			printRows(os.Stdout, b.rows[from:])
			for peer, why := range b.peerNotes {
				fmt.Printf("  (without %s: %s)\n", peer, why)
			}
		}
		if !print {
			continue
		}
		clear(b.peerNotes)
	}
	if line := report(measured); print && line != "" {
		fmt.Printf("\nA line to send, where this machine is not in RESULTS.md:\n%s\n", line)
	}
	return nil
}

func find(name string) (section, bool) {
	for _, s := range sections {
		if s.name == name {
			return s, true
		}
	}
	return section{}, false
}

// processor names the machine by what its processor can do, not by its maker.
func processor() string {
	flags := []string{}
	for _, f := range []struct {
		name string
		has  bool
	}{{"avx2", cpu.X86.HasAVX2}, {"fma", cpu.X86.HasFMA}, {"avx512f", cpu.X86.HasAVX512F}, {"avx512vl", cpu.X86.HasAVX512VL},
		{"asimddp", cpu.ARM64.HasASIMDDP}, {"i8mm", cpu.ARM64.HasI8MM}, {"sve", cpu.ARM64.HasSVE},
		{"bfloat16", kernel.Best().HasBFloat16()}} {
		if f.has {
			flags = append(flags, f.name)
		}
	}
	return fmt.Sprintf("%s, %d cores, %s", runtime.GOARCH, runtime.NumCPU(), strings.Join(flags, " "))
}
