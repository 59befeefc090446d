package browsertest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
)

// process is what /proc knows of one.
type process struct {
	parent int
	state  string        // R for one that runs, S or D for one that waits
	took   time.Duration // of the processors' time
	role   string        // in Chromium: renderer, gpu-process, utility; browser for the first
}

// processes says what the processes of the page's browser do: how much of the
// processors' time each took in the last two seconds, and what it waits for.
func processes(ctx context.Context) string {
	c := chromedp.FromContext(ctx)
	if c == nil || c.Browser == nil || c.Browser.Process() == nil {
		return "its processes are not known"
	}
	root := c.Browser.Process().Pid
	const stretch = 2 * time.Second
	before := family(root)
	time.Sleep(stretch)
	after := family(root)
	load, _ := os.ReadFile("/proc/loadavg")
	var said []string
	for pid, p := range after {
		waits, _ := os.ReadFile(fmt.Sprintf("/proc/%d/wchan", pid))
		said = append(said, fmt.Sprintf("%s %d: %s %s, %v of the processor in %v", p.role, pid, p.state, waits, p.took-before[pid].took, stretch))
	}
	slices.Sort(said)
	return fmt.Sprintf("load %s; its processes: %s", bytes.TrimSpace(load), strings.Join(said, "; "))
}

// family returns a process and all that descend from it.
func family(root int) map[int]process {
	all := map[int]process{}
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		pid, _ := strconv.Atoi(filepath.Base(folder))
		if p, ok := readProcess(folder); ok {
			all[pid] = p
		}
	}
	within := map[int]process{}
	for pid, p := range all {
		for at := pid; at != 0; at = all[at].parent {
			if at == root {
				within[pid] = p
				break
			}
		}
	}
	return within
}

var role = regexp.MustCompile(`--type=([a-z-]+)`)

// readProcess reads /proc/PID/stat, whose second field is a name in parentheses that
// may itself have spaces, and the command line.
func readProcess(folder string) (process, bool) {
	stat, err := os.ReadFile(filepath.Join(folder, "stat"))
	if err != nil {
		return process{}, false
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 13 {
		return process{}, false
	}
	p := process{state: fields[0], role: "browser"}
	p.parent, _ = strconv.Atoi(fields[1])
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	p.took = time.Duration(user+system) * 10 * time.Millisecond // ticks of a hundredth of a second
	command, _ := os.ReadFile(filepath.Join(folder, "cmdline"))
	if match := role.FindSubmatch(command); match != nil {
		p.role = string(match[1])
	}
	return p, true
}
