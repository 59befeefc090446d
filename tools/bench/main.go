// Command bench measures this project and its peers in one run. It prints our time, the peer's time
// and the ratio: medians over repetitions in which both take turns, so that a slow phase of the
// machine slows both. Peers that are not installed are left out; make bench-peers installs them.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/cpu"

	"github.com/deepemd/deepemd/internal/kernel"
)

type section struct {
	name, what string
	run        func(b *bench) error
}

var sections = []section{
	{"native", "ResNet-12 (640) forward, native", native},
	{"train", "pre-training step of ResNet-12 (640), two threads", train},
	{"card", "training step of ResNet-12 (640) on an NVIDIA card", card},
	{"emd", "50 transport problems, one thread", emd},
	{"browser", "in Chromium, ours on one thread where no pool is named", browser},
	{"solver", "deepemd/solver in Chromium, one thread", solverAlone},
	{"start", "from navigation to the first answer, fresh browser", start},
	{"studio", "live in the studio: camera, 12 classes of 40 examples", studio},
	{"live", "live in Chromium: the default network, 5 classes of 5 examples", live},
	{"learn", "learning 5 classes of 5 examples in Chromium: the default network", learn},
	{"pool", "a pool of workers in Chromium, 84 px", pool},
	{"memory", "memory of a live page: the default network", memory},
}

// bench holds the settings and collects the rows.
type bench struct {
	repetitions int
	peers       string
	sites       []string          // the folder of the site, and of one to compare with
	live        time.Duration     // duration of the section memory
	peerNotes   map[string]string // reasons for missing peers
}

func main() {
	var names []string
	for _, s := range sections {
		names = append(names, s.name)
	}
	only := flag.String("only", strings.Join(names, ","), "sections to run")
	quick := flag.Bool("quick", false, "3 repetitions instead of 11, for a test run")
	peers := flag.String("peers", "build/peers", "folder in which make bench-peers installed the browser's peers")
	site := flag.String("site", "build/site", "folder of the built site")
	other := flag.String("against", "", "folder of another built site, with which start and studio compare")
	minutes := flag.Float64("minutes", 1, "duration of the section memory")
	flag.Parse()

	b := &bench{
		repetitions: 11, peers: *peers, sites: []string{*site}, peerNotes: map[string]string{},
		live: time.Duration(*minutes * float64(time.Minute)),
	}
	if *other != "" {
		b.sites = append(b.sites, *other)
	}
	if *quick {
		b.repetitions = 3
	}
	if err := b.run(strings.Split(*only, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func (b *bench) run(only []string) error {
	fmt.Printf("%s; kernels %s; medians of %d\n", processor(), kernel.Name(), b.repetitions)
	for _, name := range only {
		at := slices.IndexFunc(sections, func(s section) bool { return s.name == name })
		if at < 0 {
			return fmt.Errorf("no section %q: see -help", name)
		}
		s := sections[at]
		fmt.Printf("\n%s\n", s.what)
		err := s.run(b)
		if errors.Is(err, errNoChromium) {
			b.peerNotes["a browser, so nothing is measured"], err = err.Error(), nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		for peer, why := range b.peerNotes {
			fmt.Printf("  (without %s: %s)\n", peer, why)
		}
		clear(b.peerNotes)
	}
	return nil
}

// processor describes the machine: architecture, cores and instruction sets.
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
