package recognize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

func TestClassifySounds(t *testing.T) {
	support, queries := cmdtest.Chirps(t, 2), t.TempDir()
	for class, name := range cmdtest.ChirpNames {
		cmdtest.Chirp(t, filepath.Join(queries, name+".wav"), class, 3)
	}
	got := cmdtest.JSON[classification](t, "classify", "--sound", "--support", support, "--query", queries, "--json")
	if !got.Sound || got.Network != "resnet12-sound" || len(got.Answers) != 3 {
		t.Fatalf("%+v", got)
	}
	for _, a := range got.Answers {
		if want := strings.TrimSuffix(filepath.Base(a.Query), ".wav"); a.Predicted != want {
			t.Errorf("%s is taken for %s", a.Query, a.Predicted)
		}
	}
}

func TestSoundsThatCannotBeUsed(t *testing.T) {
	support, dir := cmdtest.Chirps(t, 1), t.TempDir()
	query := filepath.Join(dir, "a.wav")
	cmdtest.Chirp(t, query, 0, 0)
	whole := require.Value(os.ReadFile(query))(t)
	for _, c := range []struct {
		name, says string
		file       []byte
	}{
		{"short.wav", "copy it again", whole[:len(whole)/2]},
		{"silent.wav", "silent", append(whole[:44:44], make([]byte, len(whole)-44)...)},
		{"text.mp3", "not an MP3 or WAV", []byte("this is text")},
		{"tagged.mp3", "holds no MP3 sound", []byte("ID3\x04\x00\x00\x00\x00\x00\x01x and nothing else")},
	} {
		path := filepath.Join(dir, c.name)
		require.NoError(t, os.WriteFile(path, c.file, 0o644))
		_, err := cmdtest.Run("classify", "--sound", "--support", support, "--query", path)
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want an error that says %q", c.name, err, c.says)
		}
	}
	cmdtest.Fails(t, "--sound", "classify", "--support", support, "--query", query)
}

func TestExplainSounds(t *testing.T) {
	dir := cmdtest.Chirps(t, 2)
	out := filepath.Join(t.TempDir(), "why.png")
	a, b := filepath.Join(dir, "rising", "speaker0_0.wav"), filepath.Join(dir, "rising", "speaker1_0.wav")
	stdout := require.Value(cmdtest.Run("explain", a, b, "--what", "overview", "--out", out))(t)
	if !strings.Contains(stdout, "resnet12-sound") || !strings.Contains(stdout, "time to the right") {
		t.Errorf("%s", stdout)
	}
	if info, err := os.Stat(out); err != nil || info.Size() < 1000 {
		t.Errorf("%v: want a picture", err)
	}
}
