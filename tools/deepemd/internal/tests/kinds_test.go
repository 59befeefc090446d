package tests

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

// TestKinds: every verb refuses recordings for a network of pictures, and the other way round. An index
// of recordings finds recordings.
func TestKinds(t *testing.T) {
	dir, sounds, pictures := t.TempDir(), cmdtest.Chirps(t, 2), cmdtest.Pictures(t, 2)
	photos, words := filepath.Join(dir, "photos.index"), filepath.Join(dir, "words.index")
	chirp, photo := filepath.Join(dir, "a.wav"), filepath.Join(dir, "a.png")
	cmdtest.Chirp(t, chirp, 0, 3)
	cmdtest.Picture(t, photo, 0, 3)
	require.Value(cmdtest.Run("index", pictures, "--out", photos))(t)
	require.Value(cmdtest.Run("index", sounds, "--sound", "--out", words))(t)
	ids := filepath.Join(dir, "ids.json")
	cmdtest.WriteText(t, ids, "[0]")
	many := t.TempDir()
	for class := range 5 {
		for i := range 16 {
			cmdtest.WriteText(t, filepath.Join(many, fmt.Sprint(class), fmt.Sprint(i, ".wav")), cmdtest.ReadText(t, chirp))
		}
	}
	out := func(name string) string { return filepath.Join(t.TempDir(), name) }

	const add, give = "is for pictures: add --sound", "is for pictures: give pictures"
	const mp3 = "is for recordings: give MP3 or WAV files, or use another network"
	for _, c := range []struct {
		line string
		want string
	}{
		{"classify --support " + sounds + " --query " + chirp, add},
		{"classify --support " + pictures + " --query " + chirp, add},
		{"classify --sound --support " + sounds + " --query " + photo, mp3},
		{"classify --weights resnet12-sound --support " + pictures + " --query " + photo, mp3},
		{"eval --way 2 --query 1 --episodes 2 --data " + sounds, add},
		{"eval --sound --way 2 --query 1 --episodes 2 --data " + pictures, mp3},
		{"eval retrieval --data " + sounds, add},
		{"eval retrieval --sound --data " + pictures, mp3},
		{"features --data " + sounds + " --out " + out("f.npy"), add},
		{"features --sound --data " + pictures + " --out " + out("f.npy"), mp3},
		{"index " + sounds + " --out " + out("x.index"), add},
		{"index --sound " + pictures + " --out " + out("x.index"), mp3},
		{"index --sound " + pictures + " --out " + photos, "other weights"},
		{"explain " + chirp + " " + photo, give},
		{"explain --weights resnet12-sound " + photo + " " + photo, mp3},
		{"reproduce table1 --cache " + dir + " --data " + many + " --out " + out("r"), give},
		{"search " + photos + " " + chirp, give},
		{"search " + words + " " + photo, mp3},
		{"vector " + photos + " " + chirp, give},
		{"rerank --candidates " + ids + " " + photos + " " + chirp, give},
		{"search " + words + " " + chirp, ""},
		{"vector " + words + " " + chirp, ""},
		{"rerank --candidates " + ids + " " + words + " " + chirp, ""},
		{"features --sound --data " + sounds + " --out " + out("f.npy"), ""},
		{"eval retrieval --sound --data " + sounds, ""},
	} {
		said, err := cmdtest.Run(strings.Fields(c.line)...)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q\n%s", c.line, err, c.want, said)
		}
	}
}

// TestMixedKinds: every verb leaves out a photograph among recordings, and a recording among photographs.
func TestMixedKinds(t *testing.T) {
	sounds, pictures, out := cmdtest.Chirps(t, 4), cmdtest.Pictures(t, 4), t.TempDir()
	cmdtest.Picture(t, filepath.Join(sounds, cmdtest.ChirpNames[0], "foreign.png"), 0, 9)
	cmdtest.Chirp(t, filepath.Join(pictures, cmdtest.ClassNames[0], "foreign.wav"), 0, 9)
	for _, c := range []struct{ dir, flag, left, count string }{
		{sounds, "--sound", "foreign.png: it is a picture", "24 recordings"}, {pictures, "--sound=false", "foreign.wav: it is a recording", "12 "},
	} {
		for line, want := range map[string]string{
			"index " + c.dir + " --out " + filepath.Join(out, "x"+c.flag): c.count, "features --data " + c.dir + " --out " + filepath.Join(out, c.flag+".npy"): c.count,
			"eval retrieval --data " + c.dir: c.count, "eval --way 2 --query 2 --episodes 8 --data " + c.dir: "",
			"classify --support " + c.dir + " --query " + c.dir: c.count, "project make --support " + c.dir + " " + filepath.Join(out, "p"+c.flag): " examples",
		} {
			said, err := cmdtest.Run(append(strings.Fields(line), c.flag)...)
			if err != nil || !strings.Contains(said, c.left) || !strings.Contains(said, want) {
				t.Errorf("%s %s: error %v, want %q and %q\n%s", line, c.flag, err, c.left, want, said)
			}
		}
	}
	chirp := filepath.Join(sounds, cmdtest.ChirpNames[0], "speaker0_0.wav")
	require.Value(cmdtest.Run("explain", "--sound", "--json", chirp, chirp))(t)
}
