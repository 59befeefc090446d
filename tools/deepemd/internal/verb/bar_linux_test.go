package verb

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/deepemd/deepemd/internal/require"
)

// TestBarOnTerminal: results and notes on the terminal of the bar stay, and the bar leaves nothing.
func TestBarOnTerminal(t *testing.T) {
	screen, await := pseudoTerminal(t)
	stdout, stderr := Plain(screen), Plain(screen)
	fmt.Fprintln(stderr, "before")
	bar := NewBar(stderr, "step")
	bar.Set(1, 2, ", 3s left")
	await("step 1 of 2 ")
	fmt.Fprintln(bar.Above(stdout), "result")
	fmt.Fprintln(bar.Above(stderr), "note")
	bar.Done()
	fmt.Fprintln(stdout, "after")
	if got, want := onScreen(await("after\r\n")), "before\nresult\nnote\nafter\n"; got != want {
		t.Errorf("the terminal shows\n%swant\n%s", got, want)
	}
	var file strings.Builder
	if bar.Above(&file) != io.Writer(&file) {
		t.Error("lines for a file go to the terminal")
	}
}

// pseudoTerminal returns a terminal of 40 columns, and a function that waits until it has got a text, and returns
// all that it has got.
func pseudoTerminal(t *testing.T) (screen *os.File, await func(text string) string) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo terminals here:", err)
	}
	t.Cleanup(func() { _ = master.Close() })
	require.NoError(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	number := require.Value(unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN))(t)
	screen = require.Value(os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0))(t)
	t.Cleanup(func() { _ = screen.Close() })
	require.NoError(t, unix.IoctlSetWinsize(int(screen.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 30, Col: 40}))
	var all strings.Builder
	return screen, func(text string) string {
		part := make([]byte, 4096)
		for !strings.Contains(all.String(), text) {
			n := require.Value(master.Read(part))(t)
			all.Write(part[:n])
		}
		return all.String()
	}
}

// controls matches the sequences that move up lines and erase what follows, and other characters.
var controls = regexp.MustCompile(`\x1b\[(\d*)([A-Z])|[^\x1b]`)

// onScreen returns what a terminal shows of a text without long lines.
func onScreen(text string) string {
	lines, row := []string{""}, 0
	for _, c := range controls.FindAllStringSubmatch(text, -1) {
		switch {
		case c[2] == "A":
			up, _ := strconv.Atoi(c[1])
			row -= up
		case c[2] == "J":
			lines = append(lines[:row], "")
		case c[0] == "\n":
			if row++; row == len(lines) {
				lines = append(lines, "")
			}
		case c[0] != "\r":
			lines[row] += c[0]
		}
	}
	return strings.Join(lines, "\n")
}
