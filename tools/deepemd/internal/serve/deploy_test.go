package serve

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// deployed reads a file with instructions for deployment.
func deployed(t *testing.T, name string) string {
	t.Helper()
	return cmdtest.ReadText(t, filepath.Join("..", "..", "..", "..", "docs", "deploy", name))
}

// parsed has serve read the flags that a file gives it.
func parsed(t *testing.T, args []string) *pflag.FlagSet {
	t.Helper()
	command := newServeCommand()
	if err := command.ParseFlags(args); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	if rest := command.Flags().Args(); len(rest) > 0 {
		t.Errorf("%q: %q are no flags", args, rest)
	}
	return command.Flags()
}

func TestUnit(t *testing.T) {
	unit := deployed(t, "deepemd.service")
	commands := regexp.MustCompile(`ExecStart=\S+/deepemd serve (.*)`).FindAllStringSubmatch(unit, -1)
	if len(commands) != 2 {
		t.Fatalf("%d commands, want one behind a server and one with a certificate", len(commands))
	}
	stop := require.Value(time.ParseDuration(regexp.MustCompile(`(?m)^TimeoutStopSec=(.*)$`).FindStringSubmatch(unit)[1]))(t)
	for _, c := range commands {
		if grace := require.Value(parsed(t, strings.Fields(c[1])).GetDuration("grace"))(t); grace >= stop {
			t.Errorf("systemd waits for %v, the server for %v", stop, grace)
		}
	}

	t.Run("systemd", func(t *testing.T) {
		analyze, err := exec.LookPath("systemd-analyze")
		if err != nil {
			t.Skip("no systemd-analyze here")
		}
		program, err := exec.LookPath("true")
		if err != nil {
			t.Skip("no program to put in the command's place")
		}
		path := filepath.Join(t.TempDir(), "deepemd.service")
		cmdtest.WriteText(t, path, strings.ReplaceAll(unit, "/usr/local/bin/deepemd", program))
		if out, err := exec.Command(analyze, "verify", "--man=no", path).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("systemd-analyze: %v: %s", err, out)
		}
	})
}

func TestContainer(t *testing.T) {
	file := deployed(t, "Containerfile")
	_, last, ok := strings.Cut(file, "\nFROM scratch\n")
	if !ok {
		t.Fatal("the last stage is not empty")
	}
	build := regexp.MustCompile(`(?m)^RUN CGO_ENABLED=0 GOFLAGS=(\S+) make build$`).FindStringSubmatch(file)
	if build == nil {
		t.Fatal("the program may need libraries, which the container does not have")
	}
	list := exec.Command("go", "list", "-deps", "../..")
	list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64", "GOFLAGS="+build[1])
	if linked := require.Value(list.Output())(t); strings.Contains(string(linked), "purego") {
		t.Error("the program has purego, so it needs the C library, which the container does not have")
	}
	if user := regexp.MustCompile(`(?m)^USER (\d+):\d+$`).FindStringSubmatch(last); user == nil || user[1] == "0" {
		t.Errorf("user %q, want the number of one who may do nothing", user)
	}
	var entry []string
	require.NoError(t, json.Unmarshal([]byte(regexp.MustCompile(`(?m)^ENTRYPOINT (.*)$`).FindStringSubmatch(last)[1]), &entry))
	flags := parsed(t, entry[2:])
	if port := flags.Lookup("port").Value; !strings.Contains(last, "\nEXPOSE "+port.String()+"\n") {
		t.Errorf("the server listens on %s, which is not exposed", port)
	}
	if grace := require.Value(flags.GetDuration("grace"))(t); grace >= 10*time.Second {
		t.Errorf("containers are killed after 10 s, the server waits for %v", grace)
	}
	for _, path := range []string{entry[0], flags.Lookup("dir").Value.String()} {
		if !strings.Contains(last, " "+path+"\n") {
			t.Errorf("%s is not copied into the container", path)
		}
	}
}

// Every flag that the manual gives to serve is one.
func TestDeployManual(t *testing.T) {
	flags := newServeCommand().Flags()
	named := 0
	for line := range strings.Lines(deployed(t, "README.md")) {
		_, after, ok := strings.Cut(line, "deepemd serve ")
		if !ok {
			_, after, ok = strings.Cut(line, " deepemd --")
			after = "--" + after
		}
		for _, flag := range regexp.MustCompile(`--([a-z-]+)`).FindAllStringSubmatch(after, -1) {
			if named++; ok && flag[1] != "help" && flags.Lookup(flag[1]) == nil {
				t.Errorf("there is no flag --%s: %s", flag[1], line)
			}
		}
	}
	if named < 7 {
		t.Errorf("the manual names %d flags", named)
	}
}
