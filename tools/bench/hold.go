package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// period is the time in which a held browser gets its share: short beside a frame of a
// camera, so that the pauses are not what is measured.
const period = 10 * time.Millisecond

var errNotHeld = errors.New("nothing here holds processes back: neither a control group can be made (as root on Linux) nor is there cpulimit (apt-get install cpulimit)")

// hold keeps the programs that this process has started, and all that come of them, to a
// part of this machine's speed: of the time of all cores together, so that two busy threads
// on two cores run at that part of their speed each. It says how, and lets go when it is
// told to, once they have ended.
func hold(part float64) (how string, release func(), err error) {
	pids := descendants(os.Getpid())[1:]
	if len(pids) == 0 {
		return "", nil, errors.New("there is no program to hold back")
	}
	cores := part * float64(runtime.NumCPU())
	quota := time.Duration(cores * float64(period))
	for _, g := range []struct{ at, of, settings string }{
		{"/sys/fs/cgroup", "cgroup.controllers", fmt.Sprintf("cpu.max=%d %d", quota.Microseconds(), period.Microseconds())},
		{"/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", fmt.Sprintf("cpu.cfs_period_us=%d\ncpu.cfs_quota_us=%d", period.Microseconds(), quota.Microseconds())},
	} {
		if _, err := os.Stat(filepath.Join(g.at, g.of)); err != nil {
			continue
		}
		if release, err = group(g.at, g.settings, pids); err == nil {
			return fmt.Sprintf("a control group gives all its processes %.1f%% of a core, every %v", 100*cores, period), release, nil
		}
	}
	limiter, err := exec.LookPath("cpulimit")
	if err != nil {
		return "", nil, errNotHeld
	}
	command := exec.Command(limiter, "-p", strconv.Itoa(pids[0]), "-m", "-q", "-l", strconv.Itoa(max(1, int(100*cores+0.5))))
	if err := command.Start(); err != nil {
		return "", nil, fmt.Errorf("cpulimit: %w", err)
	}
	return fmt.Sprintf("cpulimit stops all its processes for a while once they have had %.0f%% of a core", 100*cores), func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	}, nil
}

// group puts processes into a control group of their own with settings, "file=value" a
// line. Those that come of them are in it, too.
func group(at, settings string, pids []int) (release func(), err error) {
	folder, err := os.MkdirTemp(at, "deepemd-bench-*")
	if err != nil {
		return nil, err
	}
	// A group goes once it is empty, which it is when the browser has ended.
	release = func() {
		for range 100 {
			if os.Remove(folder) == nil {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	for _, line := range strings.Split(settings, "\n") {
		name, value, _ := strings.Cut(line, "=")
		if err := os.WriteFile(filepath.Join(folder, name), []byte(value), 0o644); err != nil {
			release()
			return nil, err
		}
	}
	for _, pid := range pids {
		if err := os.WriteFile(filepath.Join(folder, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0o644); err != nil {
			return release, err
		}
	}
	return release, nil
}

// descendants are a process and all that have come of it.
func descendants(pid int) []int {
	children := map[int][]int{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // it has just ended
		}
		// The name, in parentheses, may hold anything.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		child, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if parent, err := strconv.Atoi(string(fields[1])); err == nil {
			children[parent] = append(children[parent], child)
		}
	}
	all := []int{pid}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}
