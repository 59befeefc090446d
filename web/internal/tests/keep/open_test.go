//go:build !js

package keep_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"image/color"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// openReady opens the studio, and waits for its engine.
func openReady(t *testing.T, opt browsertest.Options) *studio {
	t.Helper()
	s := &studio{studiotest.Open(t, opt)}
	s.Ready()
	return s
}

// openFile opens a file with the dialog of projects.
func (s *studio) openFile(path string) {
	s.T.Helper()
	s.OpenDialog("#open-projects", "#projects")
	s.Upload("#open-file", path)
}

// classes waits for classes with numbers of examples, such as "Ja 3, Nein 4".
func (s *studio) classes(want string) {
	s.T.Helper()
	s.WaitFor(fmt.Sprintf(`[...document.querySelectorAll(".cards .card")].map((c) => c.querySelector("input.name").value + " " + (parseInt(c.querySelector(".count")?.innerText) || 0)).join() === %q`,
		strings.ReplaceAll(want, ", ", ",")))
}

// learned waits until the engine has n examples, and the page has saved them.
func (s *studio) learned(examples int) {
	s.T.Helper()
	s.Knows(examples)
	s.WaitFor(`document.querySelector("#kept.saved")?.innerText === "Saved on this device"`)
}

// picture returns the JPEG of a disc, slightly different for each number.
func picture(t *testing.T, c color.RGBA, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	c.R, c.G = c.R^uint8(n%16), c.G^uint8(n/16%16)
	require.NoError(t, jpeg.Encode(&b, studiotest.Disc(c), nil))
	return b.Bytes()
}

type entry struct {
	name    string
	content []byte
}

// zipFile writes a zip of entries, compressed or not.
func zipFile(t *testing.T, name string, method uint16, entries []entry) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f := require.Value(os.Create(path))(t)
	defer f.Close()
	w := zip.NewWriter(f)
	for _, e := range entries {
		out, err := w.CreateHeader(&zip.FileHeader{Name: e.name, Method: method})
		if err == nil {
			_, err = out.Write(e.content)
		}
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return path
}

// teachable returns a project of Teachable Machine.
func teachable(t *testing.T, name, kind string, counts ...int) string {
	t.Helper()
	var entries []entry
	for class, count := range counts {
		for n := range count {
			entries = append(entries, entry{fmt.Sprintf("%s-!-%d.jpg", labels[class], n), picture(t, colors[class], n)})
		}
	}
	manifest := fmt.Sprintf(`{"type":%q,"version":"2.4.10","appdata":{"publishResults":{},"trainEpochs":50,"trainBatchSize":16,"trainLearningRate":0.001}}`, kind)
	return zipFile(t, name, zip.Store, append(entries, entry{"manifest.json", []byte(manifest)}))
}

var (
	labels = []string{"Äpfel", "Blau/Blue", "Grün"}
	colors = []color.RGBA{studiotest.Red, studiotest.Blue, studiotest.Green}
)

// A project of Teachable Machine opens with every class and image, is saved, and answers. Its
// exported folders can be imported, and undone in one step.
func TestTeachableMachine(t *testing.T) {
	s := openReady(t, browsertest.Options{})
	s.openFile(teachable(t, "Obst (2).tm", "image", 12, 9, 3))
	s.classes("Äpfel 12, Blau/Blue 9, Grün 3")
	s.WaitFor(`document.querySelector("#open-projects .title").innerText === "Obst"`)
	s.learned(24)
	s.Drop(".view", studiotest.PictureFile(t, "unseen.jpg", studiotest.Green))
	s.WaitFor(`document.querySelector(".caption")?.innerText.includes("Grün")`)
	s.ShowsColor(studiotest.Card(2)+" .thumbnail", studiotest.Blue)
	s.Shot("teachable")

	s.Revisit()
	s.classes("Äpfel 12, Blau/Blue 9, Grün 3")
	s.learned(24)

	s.OpenDialog("#open-projects", "#projects")
	s.Shot("projects")
	s.Click("#save-folders")
	file := s.Saved(".zip")
	s.Eval(`document.querySelector("#projects").close()`)
	if got, want := folders(t, file), "Blau Blue 9, Grün 3, Äpfel 12"; got != want {
		t.Errorf("the folders are %s, want %s", got, want)
	}

	s.OpenDialog("#open-projects", "#projects")
	s.Click("#new-project")
	s.WaitCount(".thumbnail", 0)
	s.Drop(".brand", file)
	s.classes("Blau Blue 9, Grün 3, Äpfel 12")
	s.Click("#undo")
	s.classes("Class 1 0, Class 2 0")
	s.Quiet()
}

// folders returns the folders of an archive with their numbers of files.
func folders(t *testing.T, path string) string {
	t.Helper()
	r := require.Value(zip.OpenReader(path))(t)
	defer r.Close()
	counts := map[string]int{}
	for _, f := range r.File {
		folder, _, _ := strings.Cut(f.Name, "/")
		counts[folder]++
		in := require.Value(f.Open())(t)
		if _, err := io.Copy(io.Discard, in); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		in.Close()
	}
	var all []string
	for folder, n := range counts {
		all = append(all, fmt.Sprint(folder, " ", n))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// A compressed project of genai-tm opens too. Projects of poses and sounds are rejected by name,
// and nothing changes.
func TestGenAIAndWhatIsRefused(t *testing.T) {
	s := openReady(t, browsertest.Options{})
	s.openFile(zipFile(t, "mine.zip", zip.Deflate, []entry{
		{"samples/0_0.png", picture(t, studiotest.Red, 0)}, {"samples/0_1.png", picture(t, studiotest.Red, 1)}, {"samples/1_0.png", picture(t, studiotest.Blue, 0)},
		{"samples/1_1.png", []byte("no picture")},
		{"metadata.json", []byte(`{"packageName":"@teachablemachine/image","labels":["Ein","Aus"],"modelName":"Schalter"}`)},
		{"model.json", []byte("{}")}, {"weights.bin", []byte{1, 2, 3}},
	}))
	s.classes("Ein 2, Aus 1") // without the file that is not an image
	s.WaitFor(`[...document.querySelectorAll(".message")].some((m) => m.innerText.includes("1_1.png"))`)
	s.learned(3)

	for kind, want := range map[string]string{"pose": "poses", "audio": "sounds"} {
		s.openFile(teachable(t, kind+".tm", kind, 2))
		s.WaitFor(fmt.Sprintf(`[...document.querySelectorAll(".message")].some((m) => m.innerText.includes("Teachable Machine") && m.innerText.includes(%q) && m.innerText.includes(%q))`, want, kind+".tm"))
	}
	s.Shot("refused")
	s.classes("Ein 2, Aus 1")
	s.Quiet()
}

// Nested folders, chosen or dropped, fill many classes in one undoable step. A folder of images
// goes to the card it was dropped on.
func TestFolders(t *testing.T) {
	s := openReady(t, browsertest.Options{})
	root := filepath.Join(t.TempDir(), "things")
	for class, label := range []string{"Red", "Blue"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, label), 0o755))
		for n := range 4 {
			require.NoError(t, os.WriteFile(filepath.Join(root, label, strconv.Itoa(n)+".jpg"), picture(t, colors[class], n), 0o644))
		}
	}
	s.Upload("#add-folders", root)
	s.classes("Blue 4, Red 4")
	s.learned(8)
	s.Shot("folders")
	s.Click("#undo")
	s.classes("Class 1 0, Class 2 0")
	s.Knows(0)
	s.Click("#redo")
	s.classes("Blue 4, Red 4")

	s.Drop(studiotest.Card(2), filepath.Join(root, "Blue"))
	s.classes("Blue 4, Red 8")
	s.Drop(".brand", root)
	s.classes("Blue 8, Red 12")
	s.learned(20)
	s.Quiet()
}
