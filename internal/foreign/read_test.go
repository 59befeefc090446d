package foreign_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/foreign"
	"github.com/deepemd/deepemd/internal/require"
)

const (
	teachable = `{"type":%q,"version":"2.4.10","appdata":{"publishResults":{},"trainEpochs":50,"trainBatchSize":16,"trainLearningRate":0.001}}`
	genai     = `{"packageName":"@teachablemachine/image","labels":["Dog","Cat","Empty"],"modelName":"Pets","imageSize":224,"projectId":"ab12cd34"}`
)

// describe summarizes a result.
func describe(f *foreign.Import, paths []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s", f.Origin, f.Name)
	for _, c := range f.Classes {
		var files []string
		for _, i := range c.Files {
			files = append(files, paths[i])
		}
		fmt.Fprintf(&b, "|%s: %s", c.Label, strings.Join(files, " "))
	}
	if f.Left > 0 {
		fmt.Fprintf(&b, "|%d left", f.Left)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	for _, test := range []struct {
		what, named, text, kind string
		paths                   []string
		want                    string
	}{
		{
			what: "a project of Teachable Machine", named: "project (1).tm", text: fmt.Sprintf(teachable, "image"),
			paths: []string{"Hair Claw Clip-!-0.jpg", "Hair Claw Clip-!-10.jpg", "Hair Claw Clip-!-2.jpg", "a-!-b/c-!-0.jpg", "manifest.json"},
			want:  "1 project|Hair Claw Clip: Hair Claw Clip-!-0.jpg Hair Claw Clip-!-2.jpg Hair Claw Clip-!-10.jpg|a-!-b/c: a-!-b/c-!-0.jpg",
		},
		{
			what: "the same, unpacked", named: "signs", text: fmt.Sprintf(teachable, "image"),
			paths: []string{"signs/Ja-!-0.jpg", "signs/Ja-!-1.json", "signs/cover.jpg", "signs/manifest.json", "signs/notes.txt"},
			want:  "1 signs|Ja: signs/Ja-!-0.jpg|3 left",
		},
		{
			what: "a project of genai-tm", named: "mine.zip", text: genai,
			paths: []string{"samples/1_0.png", "samples/0_10.png", "samples/0_9.png", "samples/3_0.png", "metadata.json", "model.json", "weights.bin", "behaviours.json"},
			want:  "2 Pets|Dog: samples/0_9.png samples/0_10.png|Cat: samples/1_0.png|Empty: |: samples/3_0.png",
		},
		{
			what: "the same, unpacked", named: "mine", text: genai,
			paths: []string{"mine/metadata.json", "mine/samples/1_0.png"},
			want:  "2 Pets|Dog: |Cat: mine/samples/1_0.png|Empty: ",
		},
		{
			what: "files that are no samples of genai-tm", named: "mine.zip", text: genai,
			paths: []string{"metadata.json", "samples/0_0.png", "samples/0_1.txt", "samples/_1.png", "samples/0_.png", "samples/01.png", "samples/x_1.png", "samples/0_x.png", "samples/1234567_0.png", "samples/123456_0.png"},
			want:  "2 Pets|Dog: samples/0_0.png|Cat: |Empty: |: samples/123456_0.png|7 left",
		},
		{
			what: "Teachable Machine's samples without settings", named: "project.tm", text: `{"type":"image"}`,
			paths: []string{"Ja-!-0.jpg", "manifest.json"},
			want:  "1 project|Ja: Ja-!-0.jpg",
		},
		{
			what: "folders with equal numbers", named: "things",
			paths: []string{"x2/1.png", "x10/1.png", "x02/1.png"},
			want:  "0 things|x02: x02/1.png|x2: x2/1.png|x10: x10/1.png",
		},
		{
			what: "names of any case, with spaces, one the start of another", named: "things",
			paths: []string{"cups/1.png", "Cup/B.png", "Cup/a.png", " ball /1.png"},
			want:  "0 things|ball:  ball /1.png|Cup: Cup/a.png Cup/B.png|cups: cups/1.png",
		},
		{
			what: "equal numbers in names", named: "things",
			paths: []string{"a/x2", "a/x02.png", "a/x2.png", "a/x1b.png", "a/x1a.png", "a/x1.png"},
			want:  "0 things|a: a/x1.png a/x1a.png a/x1b.png a/x02.png a/x2.png|1 left",
		},
		{
			what: "a project of deepemd", named: "cups.deepemd.zip", text: `{"format":"deepemd-project","version":2}`,
			paths: []string{"manifest.json", "pictures/00001.png"},
			want:  "3 cups.deepemd",
		},
		{
			what: "folders", named: "things.zip",
			paths: []string{"things/10 Pens/b.JPG", "things/2 cups/10.png", "things/2 cups/old/9.png", "things/2 Cups/1.webp", "things/readme.txt"},
			want:  "0 things|2 cups: things/2 Cups/1.webp things/2 cups/10.png things/2 cups/old/9.png|10 Pens: things/10 Pens/b.JPG|1 left",
		},
		{
			what: "a folder whose name has a dot and a number", named: "St.Bernard (2)",
			paths: []string{"St.Bernard (2)/1.jpg", "St.Bernard (2)/more/2.jpg"},
			want:  "0 St.Bernard (2)|St.Bernard (2): St.Bernard (2)/1.jpg St.Bernard (2)/more/2.jpg",
		},
		{
			what: "pictures in no folder", named: "Äpfel (rot).zip",
			paths: []string{"1.jpg", "2.jpg"},
			want:  "0 Äpfel (rot)|Äpfel (rot): 1.jpg 2.jpg",
		},
		{
			what: "a picture beside the classes", named: "things.zip",
			paths: []string{"things/cover.jpg", "things/cups/1.png", "things/pens/1.png"},
			want:  "0 things|cups: things/cups/1.png|pens: things/pens/1.png|1 left",
		},
		{
			what: "the same, without a folder around", named: "things.zip",
			paths: []string{"cover.jpg", "cups/1.png", "pens/1.png"},
			want:  "0 things|cups: cups/1.png|pens: pens/1.png|1 left",
		},
		{
			what: "a picture beside one class", named: "things.zip",
			paths: []string{"2.jpg", "cups/1.png"},
			want:  "0 things|cups: cups/1.png|things: 2.jpg",
		},
		{
			what: "sounds", named: "words", kind: project.KindSound,
			paths: []string{"words/yes/1.wav", "words/no/1.MP3", "words/no/picture.png"},
			want:  "0 words|no: words/no/1.MP3|yes: words/yes/1.wav|1 left",
		},
		{
			what: "folders with a manifest of something else", named: "site", text: `{"name":"a web app","icons":[]}`,
			paths: []string{"manifest.json", "cats/1.png"},
			want:  "0 site|cats: cats/1.png|1 left",
		},
		{
			what: "folders with a manifest that is no JSON", named: "site", text: "CACHE MANIFEST",
			paths: []string{"manifest.json", "cats/1.png"},
			want:  "0 site|cats: cats/1.png|1 left",
		},
		{
			what: "folders with a description of something else", named: "site", text: "a description",
			paths: []string{"metadata.json", "cats/1.png"},
			want:  "0 site|cats: cats/1.png|1 left",
		},
		{
			what: "folders, one of which has a manifest", named: "site", text: fmt.Sprintf(teachable, "image"),
			paths: []string{"cats/1.png", "cats/manifest.json", "dogs/1.png"},
			want:  "0 site|cats: cats/1.png|dogs: dogs/1.png|1 left",
		},
		{
			what: "a folder named like that of genai-tm", named: "site",
			paths: []string{"samples/0_0.png", "samples/1_0.png"},
			want:  "0 site|samples: samples/0_0.png samples/1_0.png",
		},
	} {
		kind := test.kind
		if kind == "" {
			kind = project.KindImage
		}
		found, err := foreign.Read(test.named, test.paths, kind, func(int) ([]byte, error) { return []byte(test.text), nil })
		if err != nil {
			t.Errorf("%s: %v", test.what, err)
			continue
		}
		if got := describe(found, test.paths); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.what, got, test.want)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, test := range []struct {
		text  string
		paths []string
		want  string
	}{
		{fmt.Sprintf(teachable, "pose"), []string{"Up-!-0.jpg", "manifest.json"}, "Teachable Machine poses"},
		{fmt.Sprintf(teachable, "audio"), []string{"manifest.json", "Background Noise-!-0.json"}, "Teachable Machine sounds"},
		{fmt.Sprintf(teachable, "text"), []string{"manifest.json", "a-!-0.txt"}, `Teachable Machine examples of type "text"`},
		{`{"tfjsSpeechCommandsVersion":"0.5.4","wordLabels":["a"]}`, []string{"metadata.json", "samples/0_0.png", "samples/0_0.pcm"}, "genai-tm sounds"},
		{`{"packageName":"@teachablemachine/hand","labels":["a"]}`, []string{"metadata.json", "samples/0_0.png"}, "genai-tm poses"},
		{`{"packageName":"@teachablemachine/pose","labels":["a"]}`, []string{"metadata.json", "samples/0_0.png"}, "genai-tm poses"},
		{`{"poseNetArchitecture":"MobileNetV1","labels":["a"]}`, []string{"metadata.json", "samples/0_0.png"}, "genai-tm poses"},
	} {
		_, err := foreign.Read("x.tm", test.paths, project.KindImage, func(int) ([]byte, error) { return []byte(test.text), nil })
		var refused *foreign.Refused
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got := refused.Program + " " + refused.Holds; got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
		if !strings.Contains(err.Error(), refused.Holds) {
			t.Errorf("%q does not say what it holds", err)
		}
		if records := strings.Contains(err.Error(), "record the sounds here"); records != (refused.Holds == foreign.Sounds) {
			t.Errorf("%q advises to record sounds: %v", err, records)
		}
	}
}

func TestNothingThere(t *testing.T) {
	text := func(s string) func(int) ([]byte, error) { return func(int) ([]byte, error) { return []byte(s), nil } }
	if _, err := foreign.Read("x.zip", []string{"a/notes.txt"}, project.KindImage, text("")); !errors.Is(err, foreign.ErrNothing) {
		t.Error(err)
	}
	if _, err := foreign.Read("x.tm", []string{"manifest.json"}, project.KindImage, text(fmt.Sprintf(teachable, "image"))); !errors.Is(err, foreign.ErrNothing) {
		t.Error(err)
	}
	if _, err := foreign.Read("x.tm", []string{"a-!-0.jpg", "manifest.json"}, project.KindImage, text("{")); err == nil || !strings.Contains(err.Error(), "save the project again") {
		t.Error(err)
	}
	if _, err := foreign.Read("x.zip", []string{"metadata.json", "samples/0_0.png"}, project.KindImage, text("{")); err == nil || !strings.Contains(err.Error(), "save the project again in genai-tm") {
		t.Error(err)
	}
	broken := errors.New("moved")
	if _, err := foreign.Read("x.zip", []string{"metadata.json", "samples/0_0.png"}, project.KindImage, func(int) ([]byte, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err := foreign.Read("x.tm", []string{"manifest.json"}, project.KindImage, func(int) ([]byte, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// The name is the archive's, without the number of a second download.
func TestNamesOfArchives(t *testing.T) {
	for named, want := range map[string]string{
		"cups (1).zip": "cups", "cups(12).zip": "cups", "cups (old).zip": "cups (old)", "cups ().zip": "cups ()", "cups (12.zip": "cups (12", "(1).zip": "(1)", "cups 1).zip": "cups 1)",
	} {
		found, err := foreign.Read(named, []string{"a/1.png", "b/1.png"}, project.KindImage, nil)
		if err != nil || found.Name != want {
			t.Errorf("%s: %+v, %v; want the name %q", named, found, err, want)
		}
	}
}

// The folder of an unpacked project counts only if it contains all files.
func TestManifestDeeperOrBeside(t *testing.T) {
	for _, paths := range [][]string{{"a/b/Up-!-0.jpg", "a/b/manifest.json"}, {"b/Up-!-0.jpg", "b/manifest.json", "c.jpg"}} {
		found, err := foreign.Read("x", paths, project.KindImage, func(int) ([]byte, error) { return fmt.Appendf(nil, teachable, "image"), nil })
		if err != nil || found.Origin != foreign.Folders {
			t.Errorf("%v: origin %v, %v; want folders", paths, found, err)
		}
	}
}

func TestFolderNames(t *testing.T) {
	labels := []string{"Cup", "cup", "Ja/Nein?", "CON", "nul.txt", "com1", "LPT¹.x", "com10", "comb", " ..", "", "über 😀", "a. ", strings.Repeat("ä", 90), "__MACOSX", "مرحبا", "tab\there", "bell\ahere", "a  b", "Lost+Found", "#recycle"}
	want := []string{"Cup", "cup 2", "Ja Nein", "_CON", "_nul.txt", "_com1", "_LPT¹.x", "com10", "comb", "_", "_ 2", "über 😀", "a", strings.Repeat("ä", 50), "___MACOSX", "مرحبا", "tab here", "bell here", "a b", "_Lost+Found", "_#recycle"}
	if got := foreign.FolderNames(labels); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// The work for equal labels grows with their number, not its square.
func TestManyEqualFolderNames(t *testing.T) {
	labels := slices.Repeat([]string{"Cup"}, 3000)
	var names []string
	bombs.Budget(t, 1<<20, 1<<9, len(labels), func() { names = foreign.FolderNames(labels) })
	if last := names[len(names)-1]; last != "Cup 3000" {
		t.Errorf("the last of %d equal labels becomes %q", len(names), last)
	}
}

// Folders whose names differ only in case are one class, in every script.
func TestCaseOfFolders(t *testing.T) {
	paths := []string{"Äpfel/1.png", "äpfel/2.png", "\u212aelch/3.png", "kelch/4.png", "İ/5.png", "i/6.png", "Straße/7.png", "STRASSE/8.png"}
	found := require.Value(foreign.Read("x", paths, project.KindImage, nil))(t)
	var sizes []int
	for _, c := range found.Classes {
		sizes = append(sizes, len(c.Files))
	}
	if slices.Sort(sizes); !slices.Equal(sizes, []int{1, 1, 1, 1, 2, 2}) {
		t.Errorf("classes of %v files: %+v", sizes, found.Classes)
	}
}

// An import fits into a project file.
func TestImportFitsProject(t *testing.T) {
	long := strings.Repeat("ä", method.MaxText+1)
	metadata := func(labels, name string) func(int) ([]byte, error) {
		return func(int) ([]byte, error) {
			return fmt.Appendf(nil, `{"labels": [%s], "modelName": %q}`, labels, name), nil
		}
	}
	paths := []string{"samples/0_0.png", "metadata.json"}
	found := require.Value(foreign.Read("a.zip", paths, project.KindImage, metadata(strconv.Quote(long), long)))(t)
	if want := long[:len(long)-len("ä")]; found.Name != want || found.Classes[0].Label != want {
		t.Errorf("a name of %d bytes, a label of %d, want %d", len(found.Name), len(found.Classes[0].Label), len(want))
	}
	labels := strings.Repeat(`"a",`, project.MaxClasses) + `"a"`
	if _, err := foreign.Read("a.zip", paths, project.KindImage, metadata(labels, "")); err == nil || !strings.Contains(err.Error(), "at most 10000") {
		t.Errorf("%d classes: %v", project.MaxClasses+1, err)
	}
	paths = nil
	for i := range project.MaxExamples + 1 {
		paths = append(paths, fmt.Sprintf("a/%d.png", i))
	}
	if _, err := foreign.Read("a.zip", paths, project.KindImage, nil); !errors.Is(err, foreign.ErrTooMany) {
		t.Errorf("%d examples: %v", len(paths), err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("a.tm", "Up-!-0.jpg\nmanifest.json", fmt.Sprintf(teachable, "image"))
	f.Add("a.zip", "samples/0_0.png\nmetadata.json", genai)
	f.Add("", "/\n//x.png\n../a/b.jpg", "{}")
	f.Fuzz(func(t *testing.T, named, paths, text string) {
		all := strings.Split(paths, "\n")
		var found *foreign.Import
		var err error
		// A path of one byte is an entry in some lists.
		bombs.Budget(t, 1<<20, 2048, len(named)+len(paths)+len(text), func() {
			found, err = foreign.Read(named, all, project.KindImage, func(int) ([]byte, error) { return []byte(text), nil })
		})
		if err != nil || found.Origin == foreign.Own {
			return
		}
		seen := map[int]bool{}
		for _, c := range found.Classes {
			for _, i := range c.Files {
				if seen[i] || i < 0 || i >= len(all) {
					t.Fatalf("file %d comes twice or is none", i)
				}
				seen[i] = true
			}
		}
		if found.Files() == 0 {
			t.Fatal("nothing, and no error")
		}
	})
}
