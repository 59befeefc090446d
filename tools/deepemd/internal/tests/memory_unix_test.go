//go:build unix

package tests

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
)

// asksMemory makes the command print its memory use at each signal.
const asksMemory = "DEEPEMD_TEST_MEMORY"

func tellMemory() {
	if os.Getenv(asksMemory) == "" {
		return
	}
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR2)
	go func() {
		for range asked {
			runtime.GC()
			var s runtime.MemStats
			runtime.ReadMemStats(&s)
			fmt.Printf("memory %d %d\n", s.HeapAlloc, runtime.NumGoroutine())
		}
	}()
}

// memory returns the memory use of the server after a forced collection.
func (s *server) memory(t *testing.T) (m memory) {
	t.Helper()
	if err := s.Process.Signal(syscall.SIGUSR2); err != nil {
		t.Fatalf("the server has ended: %v\n%s", err, &s.notes)
	}
	var heap int
	for line := ""; !strings.HasPrefix(line, "memory "); {
		var err error
		if line, err = s.lines.ReadString('\n'); err != nil {
			t.Fatalf("the server has ended: %v\n%s", err, &s.notes)
		}
		if strings.HasPrefix(line, "memory ") {
			require.Value(fmt.Sscanf(line, "memory %d %d", &heap, &m.goroutines))(t)
		}
	}
	m.heap = float64(heap) / 1e6
	process := fmt.Sprintf("/proc/%d", s.Process.Pid)
	if entries, err := os.ReadDir(filepath.Join(process, "fd")); err == nil {
		m.open = len(entries)
	}
	if status, err := os.ReadFile(filepath.Join(process, "status")); err == nil {
		var kB float64
		if _, after, found := strings.Cut(string(status), "VmRSS:"); found {
			if _, err := fmt.Sscan(after, &kB); err == nil {
				m.process = kB / 1e3
			}
		}
	}
	return m
}

// settled waits until the server has as few goroutines and open files as before the clients, with a
// tolerance of two.
func (s *server) settled(t *testing.T, alone memory) memory {
	t.Helper()
	for end := time.Now().Add(3 * time.Minute); ; time.Sleep(200 * time.Millisecond) {
		m := s.memory(t)
		if m.goroutines <= alone.goroutines+2 && m.open <= alone.open+2 {
			return m
		}
		if time.Now().After(end) {
			t.Errorf("minutes after the clients left there are %d goroutines and %d open files, before they came %d and %d", m.goroutines, m.open, alone.goroutines, alone.open)
			return m
		}
	}
}

// end asks the server to end.
func (s *server) end() error {
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return s.Wait()
}
