package data

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/folders"
	"github.com/deepemd/deepemd/internal/require"
)

// files makes the files of a set: every line of a list is a name, or a name and
// its content after "=".
func files(lines ...string) map[string]string {
	m := map[string]string{}
	for _, line := range lines {
		name, content, _ := strings.Cut(line, "=")
		m[name] = content
	}
	return m
}

// mini is miniImageNet's form: all pictures in one folder, and the lists of Ravi
// and Larochelle.
var mini = files(
	"images/n01.jpg", "images/n02.jpg", "images/n03.jpg", "images/n04.jpg", "images/n05.jpg", "images/unlisted.jpg",
	"train.csv=filename,label\nn01.jpg,fox\nn03.jpg,fox\nn02.jpg,owl\n",
	"val.csv=filename,label\nn04.jpg,cat\n",
	"test.csv=filename,label\r\nn05.jpg,dog\r\n",
)

// birds has the form of CUB: classes 1 to 6, and a folder of other images.
func birds() map[string]string {
	m := files("CUB/README", "segmentations/001.Kite/a_0.png")
	for i, name := range []string{"Kite", "Tern", "Gull", "Black_Tern", "Wren", "Crow"} {
		class := fmt.Sprintf("%03d.%s", i+1, name)
		m["CUB/classes.txt"] += fmt.Sprintf("%d %s\n", i+1, class)
		for n := range 2 {
			file := fmt.Sprintf("%s/a_%d.jpg", class, n)
			m["CUB/images.txt"] += fmt.Sprintf("%d %s\n", 2*i+n+1, file)
			m["CUB/images/"+file] = ""
		}
	}
	m["CUB/classes.txt"] += "\n"
	return m
}

// with returns files with further ones, or without those whose content is "-".
func with(m map[string]string, lines ...string) map[string]string {
	m = maps.Clone(m)
	for name, content := range files(lines...) {
		if m[name] = content; content == "-" {
			delete(m, name)
		}
	}
	return m
}

// describe tells the classes of a set with their pictures, and its split.
func describe(s *Set) string {
	var text []string
	for _, class := range s.Classes() {
		var names []string
		for _, p := range s.Pictures(class) {
			names = append(names, p.Name)
		}
		text = append(text, class+": "+strings.Join(names, " "))
	}
	if split := s.Split(); split != nil {
		text = append(text, fmt.Sprint(split.Train, split.Val, split.Test))
	}
	return strings.Join(text, "; ")
}

const miniSet = "cat: images/n04.jpg; dog: images/n05.jpg; fox: images/n01.jpg images/n03.jpg; owl: images/n02.jpg; [fox owl] [cat] [dog]"

func TestLayouts(t *testing.T) {
	inFolders := files("images/fox/n01.jpg", "images/fox/n03.jpg", "images/owl/n02.JPEG", "images/cat/n04.jpg", "images/dog/n05.jpg")
	for _, test := range []struct {
		name  string
		files map[string]string
		form  string
		want  string
	}{
		{"miniImageNet", mini, "images listed in test.csv, train.csv, val.csv", miniSet},
		{"miniImageNet in folders of classes", with(inFolders, "split/train.csv="+mini["train.csv"], "split/val.csv="+mini["val.csv"], "split/test.csv="+mini["test.csv"]),
			"images listed in test.csv, train.csv, val.csv",
			"cat: images/cat/n04.jpg; dog: images/dog/n05.jpg; fox: images/fox/n01.jpg images/fox/n03.jpg; owl: images/owl/n02.JPEG; [fox owl] [cat] [dog]"},
		{"the same names in every class", with(files("fox/1.jpg", "owl/1.jpg", "deep/cat/1.jpg"), "train.csv=filename,label\n1.jpg,fox\n1.png,owl", "test.csv=filename,label\ncat/1.jpg,7"),
			"images listed in test.csv, train.csv", "7: deep/cat/1.jpg; fox: fox/1.jpg; owl: owl/1.jpg; [fox owl] [] [7]"},
		{"CUB by lists", with(birds(), "train.csv=filename,label\nimages/001.Kite/a_0.jpg,0\nimages/001.Kite/a_1.jpg,0\n"),
			"images listed in train.csv", "0: CUB/images/001.Kite/a_0.jpg CUB/images/001.Kite/a_1.jpg; [0] [] []"},
		{"a CSV file of something else", files("fox/1.jpg", "owl/1.jpg", "train.csv=epoch,loss\n1,2\n"), "folders of classes", "fox: fox/1.jpg; owl: owl/1.jpg"},
		{"lists and splits of other data", files("fox/1.jpg", "owl/1.jpg", "train.txt=filename,label\n9.jpg,fox", "fox/train.csv=filename,label\n1.jpg,fox", "fox/split.json=[]"),
			"folders of classes", "fox: fox/1.jpg; owl: owl/1.jpg"},
		{"lists without columns", files("x/1.jpg", "x/2.jpg", "splits/train.csv=1.jpg, \"a fox\"\n2.jpg,owl,snowy"), "images listed in train.csv", "a fox: x/1.jpg; owl: x/2.jpg; [a fox owl] [] []"},
		{"columns among others", files("1.jpg", "2.jpg", "train.csv=\ufeffid;filename;label\r\n1; \"1.jpg\"; fox\r\n2;2.jpg;owl;snowy"), "images listed in train.csv", "fox: 1.jpg; owl: 2.jpg; [fox owl] [] []"},
		{"one list of CUB", files("CUB/images.txt=1 x", "CUB/images/fox/1.jpg", "CUB/images/owl/1.jpg"), "folders of classes", "fox: CUB/images/fox/1.jpg; owl: CUB/images/owl/1.jpg"},
		{"lists of CUB without its images", files("CUB/images.txt=1 x", "CUB/classes.txt=1 x", "fox/1.jpg", "owl/1.jpg"), "folders of classes", "fox: fox/1.jpg; owl: owl/1.jpg"},
		{"tieredImageNet", files("train/fox/1.jpg", "train/owl/1.jpg", "val/cat/1.jpg", "test/dog/1.jpg", "test/dog/2.jpg"), "folders train, val, test",
			"cat: val/cat/1.jpg; dog: test/dog/1.jpg test/dog/2.jpg; fox: train/fox/1.jpg; owl: train/owl/1.jpg; [fox owl] [cat] [dog]"},
		{"tieredImageNet below a folder", files("tiered/meta-train/fox/1.jpg", "tiered/meta-test/dog/1.jpg"), "folders train, val, test",
			"dog: tiered/meta-test/dog/1.jpg; fox: tiered/meta-train/fox/1.jpg; [fox] [] [dog]"},
		{"an image beside train and test", files("train/fox/1.jpg", "test/dog/1.jpg", "cover.png"), "folders train, val, test",
			"dog: test/dog/1.jpg; fox: train/fox/1.jpg; [fox] [] [dog]"},
		{"an image beside the classes of a part", files("train/fox/1.jpg", "train/owl/1.jpg", "train/sheet.png", "test/dog/1.jpg"), "folders train, val, test",
			"dog: test/dog/1.jpg; fox: train/fox/1.jpg; owl: train/owl/1.jpg; [fox owl] [] [dog]"},
		{"classes that training and test share", files("train/fox/1.jpg", "test/fox/2.jpg", "test/owl/1.jpg"), "folders of classes",
			"fox: test/fox/2.jpg train/fox/1.jpg; owl: test/owl/1.jpg"},
		{"classes called train and test", files("train/1.jpg", "test/2.jpg"), "folders of classes", "test: test/2.jpg; train: train/1.jpg"},
		{"folders beside train and test", files("train/fox/1.jpg", "test/owl/2.jpg", "more/cat/1.jpg"), "folders of classes",
			"fox: train/fox/1.jpg; more: more/cat/1.jpg; owl: test/owl/2.jpg"},
		{"an image beside the classes", files("set/fox/1.jpg", "set/owl/1.jpg", "set/cover.jpg"), "folders of classes", "fox: set/fox/1.jpg; owl: set/owl/1.jpg"},
		{"CUB", birds(), "CUB-200-2011", "001.Kite: CUB/images/001.Kite/a_0.jpg CUB/images/001.Kite/a_1.jpg; 002.Tern: CUB/images/002.Tern/a_0.jpg CUB/images/002.Tern/a_1.jpg; " +
			"003.Gull: CUB/images/003.Gull/a_0.jpg CUB/images/003.Gull/a_1.jpg; 004.Black_Tern: CUB/images/004.Black_Tern/a_0.jpg CUB/images/004.Black_Tern/a_1.jpg; " +
			"005.Wren: CUB/images/005.Wren/a_0.jpg CUB/images/005.Wren/a_1.jpg; 006.Crow: CUB/images/006.Crow/a_0.jpg CUB/images/006.Crow/a_1.jpg; " +
			"[001.Kite 003.Gull 005.Wren] [002.Tern 006.Crow] [004.Black_Tern]"},
		{"a split beside the classes", files("x/fox/1.jpg", "x/owl/1.jpg", `split.json={"train": ["fox"], "test": ["owl"]}`), "folders of classes",
			"fox: x/fox/1.jpg; owl: x/owl/1.jpg; [fox] [] [owl]"},
	} {
		for _, path := range []string{writeFolder(t, test.files), writeZip(t, test.files)} {
			s, err := OpenSplit(path, "")
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
				continue
			}
			if got := describe(s); got != test.want || s.Form() != test.form {
				t.Errorf("%s: %s, %s\nwant %s, %s", test.name, s.Form(), got, test.form, test.want)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	s := open(t, writeFolder(t, birds()))
	if got := s.Label("004.Black_Tern"); got != "Black Tern" {
		t.Errorf("class 004.Black_Tern is %q", got)
	}
	// Two classes may have images of one name, in the folders of the classes.
	s = open(t, writeFolder(t, files("fox/1.jpg", "owl/1.jpg", "train.csv=filename,label\n1.jpg,fox\n1.jpg,owl")))
	if got := describe(s); got != "fox: fox/1.jpg; owl: owl/1.jpg; [fox owl] [] []" {
		t.Errorf("images of one name in two classes: %s", got)
	}
	// Episodes may name a listed image by its class and file.
	s = open(t, writeZip(t, mini))
	if p, err := s.Find("owl/n02.jpg"); err != nil || p.Name != "images/n02.jpg" {
		t.Errorf("owl/n02.jpg is %v, %v", p, err)
	}
}

func TestLayoutsRefuse(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"an image that is absent", with(mini, "images/n03.jpg=-"), "the data lacks 1 of 5 images in test.csv, train.csv, val.csv: n03.jpg (train.csv, line 3): complete the data"},
		{"an image that may be several", files("a/1.jpg", "b/1.jpg", "train.csv=filename,label\n1.jpg,fox"), "train.csv, line 2: 1.jpg may be a/1.jpg or b/1.jpg"},
		{"a class in two parts", with(mini, "val.csv=filename,label\nn04.jpg,fox"), `val.csv, line 2: class "fox" is in val and, according to train.csv, line 3, in train`},
		{"an image in two parts", with(mini, "val.csv=filename,label\nn05.jpg,cat"), `val.csv, line 2: image "n05.jpg" is in test.csv, line 2 as well`},
		{"an image twice", files("fox/1.jpg", "train.csv=filename,label\nfox/1.jpg,fox\nfox/1.png,fox"), `train.csv, line 3: image "fox/1.png" is in train.csv, line 2 as well`},
		{"an empty field", with(mini, "val.csv=filename,label\nn04.jpg,"), "val.csv, line 2: "},
		{"lists in two places", with(mini, "split/train.csv="+mini["train.csv"]), "lists of images in split and in .: choose one with --split"},
		{"a malformed split", files("fox/1.jpg", "split.json=[]"), "split.json: not a split"},
		{"two splits", files("images/fox/1.jpg", `split.json={"train": ["fox"]}`, `images/split.json={"train": ["fox"]}`), "images/split.json and split.json: remove one, or choose one with --split"},
		{"an incomplete CUB", with(birds(), "CUB/images/003.Gull/a_1.jpg=-"), "the data lacks 1 of 12 images in images.txt: 003.Gull/a_1.jpg"},
		{"CUB with a class that is not listed", with(birds(), "CUB/classes.txt=1 001.Kite"), "images.txt: 002.Tern/a_0.jpg is of class 002.Tern, which classes.txt lacks"},
		{"CUB with a number alone", with(birds(), "CUB/classes.txt=1 001.Kite\n2\n"), `classes.txt, line 2: "2", want a number from 1 and a name`},
		{"CUB with a malformed list", with(birds(), "CUB/classes.txt=1 001.Kite\nTern\n"), `classes.txt, line 2: "Tern", want a number from 1 and a name`},
	} {
		_, err := OpenSplit(writeFolder(t, test.files), "")
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that says %q", test.name, err, test.want)
		}
	}
	one := open(t, writeFolder(t, files("images/1.jpg", "images/2.jpg")))
	for _, err := range []error{one.Require([]string{"fox"}), func() error { _, err := NewSampler(one, one.Classes(), 5, 1, 1, 0); return err }()} {
		if err == nil || !strings.Contains(err.Error(), "train.csv") {
			t.Errorf("pictures all in one folder: error %v, want one that says what to do", err)
		}
	}
}

func TestOpenSplit(t *testing.T) {
	lists := writeFolder(t, files("train.csv="+mini["train.csv"], "validation.csv="+mini["val.csv"], "test.csv="+mini["test.csv"], "notes.csv=a,b"))
	bare := writeZip(t, with(mini, "train.csv=-", "val.csv=-", "test.csv=-"))
	other := writeFolder(t, files("s.csv=split,image,label\ntrain,n01.jpg,fox\nvalid,n04.jpg,cat\n", "s.tsv=\tsplit\timage\tlabel\n0\ttrain\tn01.jpg\tfox\n1\tvalid\tn04.jpg\tcat\n", `s.json={"train": ["cat"], "test": ["fox"]}`, "fox/1.png", "cat/1.png", "none/readme"))
	faulty := writeFolder(t, files("s.csv=filename,label\n1.png,fox", "train.csv=filename,label\n", "val.csv=split,filename,label\nholdout,1.png,fox"))
	for _, test := range []struct{ data, split, want string }{
		{bare, lists, miniSet},
		{bare, filepath.Join(lists, "train.csv"), "fox: images/n01.jpg images/n03.jpg; owl: images/n02.jpg; [fox owl] [] []"},
		{writeFolder(t, mini), filepath.Join(other, "s.csv"), "cat: images/n04.jpg; fox: images/n01.jpg; [fox] [cat] []"},
		{writeFolder(t, mini), filepath.Join(other, "s.tsv"), "cat: images/n04.jpg; fox: images/n01.jpg; [fox] [cat] []"},
		{other, filepath.Join(other, "s.json"), "cat: cat/1.png; fox: fox/1.png; [cat] [] [fox]"},
		{writeFolder(t, files("fox/1.png", "cat/1.png", "split.json=[]")), filepath.Join(other, "s.json"), "cat: cat/1.png; fox: fox/1.png; [cat] [] [fox]"},
		{writeFolder(t, files("1.png", "2.png", "train.csv=filename,label\n1.png,fox", "test.csv=filename,label\n2.png,fox")), filepath.Join(other, "s.json"), "fox: 1.png 2.png; [cat] [] [fox]"},
		{other, filepath.Join(lists, "train.csv"), "the data lacks 3 of 3 images"},
		{writeFolder(t, with(mini, `split.json={"train": ["owl"]}`)), filepath.Join(other, "s.csv"), "cat: images/n04.jpg; fox: images/n01.jpg; [fox] [cat] []"},
		{other, filepath.Join(faulty, "s.csv"), "s.csv, line 2: its part is unknown: name the file train.csv"},
		{other, filepath.Join(faulty, "train.csv"), "train.csv: no images in this list"},
		{other, filepath.Join(faulty, "val.csv"), `val.csv, line 2: no part "holdout": want train, val or test`},
		{other, filepath.Join(other, "none"), "no train.csv, val.csv or test.csv"},
		{other, filepath.Join(lists, "notes.csv"), "the columns are"},
		{other, filepath.Join(other, "absent.csv"), "is the path right?"},
		{other, filepath.Join(other, "absent.json"), "is the path right?"},
	} {
		s, err := OpenSplit(test.data, test.split)
		got := fmt.Sprint(err)
		if err == nil {
			got = describe(s)
			s.Close()
		}
		if got != test.want && (err == nil || !strings.Contains(got, test.want)) {
			t.Errorf("%s by %s: %s, want %s", filepath.Base(test.data), filepath.Base(test.split), got, test.want)
		}
	}
}

// Files are recordings by their content as well, and other files are ignored, except lists and labels. So
// are images outside the folders of classes.
func TestIgnored(t *testing.T) {
	s := open(t, writeFolder(t, files("fox/1.jpg", "fox/bark=ID3", "fox/notes.bin=x", "readme.md", "words.json={}", "list.csv", "fox/.hidden", "owl/1.jpg", "cover.jpg")))
	if got := describe(s); got != "fox: fox/1.jpg fox/bark; owl: owl/1.jpg" {
		t.Errorf("the set is %s", got)
	}
	if got := s.Ignored(); !slices.Equal(got, []Left{{Name: "fox/notes.bin"}, {Name: "readme.md"}, {Name: "cover.jpg"}}) {
		t.Errorf("%v are ignored", got)
	}
}

// Left files of a kind that other programs convert have a line with the remedy.
func TestLeft(t *testing.T) {
	const heic, raw, m4a, mov = "\x00\x00\x00\x18ftypheic", "\x00\x00\x00\x18ftypcrx ", "\x00\x00\x00\x1cftypM4A ", "\x00\x00\x00\x14ftypqt  "
	all := map[string]string{"a/1.jpg": "", "a/1.mov": mov, "a/raw.CR3": raw, "a/b.m4a": m4a, "a/notes.txt": "x", "top.jpg": "", "b/1.jpg": ""}
	for i := range 7 {
		all[fmt.Sprintf("a/%d.HEIC", i)] = heic
	}
	want := []string{
		"left out 7 HEIC images (convert them to JPEG, PNG or WebP): a/0.HEIC, a/1.HEIC, a/2.HEIC, a/3.HEIC, a/4.HEIC and 2 more",
		"left out 1 M4A recording (convert it to MP3 or WAV): a/b.m4a",
		"left out 1 camera raw file (convert it to JPEG, PNG or WebP): a/raw.CR3",
		"left out 3 files that are not images, MP3 or WAV, or cannot be read or assigned to a class: a/1.mov, a/notes.txt, top.jpg",
	}
	if got := Describe(open(t, writeFolder(t, all)).Ignored()); !slices.Equal(got, want) {
		t.Errorf("described as\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	delete(all, "a/1.jpg")
	delete(all, "b/1.jpg")
	delete(all, "top.jpg")
	const instead = "MP3, WAV) that can be read (0.HEIC is a HEIC image): give a folder"
	if _, err := OpenSplit(writeFolder(t, all), ""); err == nil || !strings.Contains(err.Error(), instead) {
		t.Errorf("error %v, want %q", err, instead)
	}
}

// The 200 classes of CUB are split like in the field: 100, 50 and 50.
func TestBirdParts(t *testing.T) {
	counts := map[string]int{}
	for i := range 200 {
		counts[birdPart(i)]++
	}
	if want := map[string]int{"train": 100, "val": 50, "test": 50}; !maps.Equal(counts, want) {
		t.Errorf("parts of %v classes, want %v", counts, want)
	}
}

func TestReadListingOfAFolderWithoutLists(t *testing.T) {
	if _, err := readListing(filepath.Join(os.TempDir(), "absent", "lists")); err == nil || !strings.Contains(err.Error(), "is the path right?") {
		t.Errorf("error %v", err)
	}
}

// A folder may have any name, such as one with the special characters of patterns.
func TestReadListingOfAFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "lists [1")
	require.NoError(t, os.Mkdir(folder, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "train.csv"), []byte(mini["train.csv"]), 0o666))
	if l, err := readListing(folder); err != nil || l == nil {
		t.Errorf("error %v", err)
	}
}

func FuzzParseListing(f *testing.F) {
	for _, seed := range []string{mini["train.csv"], "split,image,label\ntrain,n01.jpg,fox\n", "a.jpg,b\n\"c,d.png\",e", "\ufefffilename,label\n./x/../a.jpg, 1\n", "filename,label\n\"", ",.jpg\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		l := &listing{name: "train.csv"}
		var err error
		bombs.Budget(t, 1<<20, 2048, len(raw), func() { err = l.read(l.name, raw) })
		if err != nil {
			if !strings.HasPrefix(err.Error(), "train.csv") {
				t.Errorf("error %v does not name the file", err)
			}
			return
		}
		var names []string
		for _, row := range l.rows {
			if row.file == "" || row.class == "" || folders.Part(row.part) != row.part {
				t.Errorf("accepted %+v", row)
			}
			names = append(names, row.file)
		}
		split, err := l.split()
		if err != nil {
			return
		}
		if len(split.Train)+len(split.Val)+len(split.Test) == 0 {
			t.Error("a list without classes was accepted")
		}
		slices.Sort(names)
		if pictures, err := l.resolve(slices.Compact(names)); err == nil && len(pictures) != len(l.rows) {
			t.Errorf("%d rows became %d pictures", len(l.rows), len(pictures))
		}
	})
}

func FuzzParseNumbered(f *testing.F) {
	f.Add([]byte("1 001.Kite/a.jpg\n2 b c\n"))
	f.Add([]byte("0 x"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var lines []numberedLine
		var err error
		bombs.Budget(t, 1<<20, 512, len(raw), func() { lines, err = parseNumbered("images.txt", raw) })
		for _, line := range lines {
			if err == nil && (line.number < 1 || line.text == "") {
				t.Errorf("accepted %+v", line)
			}
		}
	})
}
