package netfile

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// entry is a file of an archive.
type entry struct {
	name   string
	data   string
	method uint16
}

func archive(entries ...entry) []byte {
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, e := range entries {
		f, err := w.CreateHeader(&zip.FileHeader{Name: e.name, Method: e.method})
		if err == nil {
			_, err = f.Write([]byte(e.data))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return buf.Bytes()
}

// pickled is an archive with one storage of four bytes and the given pickle.
func pickled(code string) []byte {
	return archive(entry{name: "a/data.pkl", data: code}, entry{name: "a/data/0", data: "\x00\x00\x80\x3f"})
}

// text is the opcodes of a string.
func text(s string) string {
	return "X" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s
}

// reference is the opcodes of a storage: class, key and number of elements.
func reference(class, key, count string) string {
	return "(" + text("storage") + "ctorch\n" + class + "\n" + text(key) + text("cpu") + count + "tQ"
}

// rebuilt is the opcodes of a tensor.
func rebuilt(storage, offset, size, stride string) string {
	return "ctorch._utils\n_rebuild_tensor_v2\n(" + storage + offset + size + stride + "\x89}tR"
}

// dict is the opcodes of {name: value}.
func dict(name, value string) string { return "}" + text(name) + value + "s" }

func TestLoadRefusesHostile(t *testing.T) {
	float := reference("FloatStorage", "0", "K\x01")
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "neither of PyTorch's file forms"},
		{"text", []byte("hello, this is text"), "neither of PyTorch's file forms"},
		{"a web page", []byte("<html></html>"), "web page"},
		{"half a zip", pickled("}.")[:40], "unreadable zip archive"},
		{"another zip", archive(entry{name: "readme", data: "hi"}), "without data.pkl"},
		{"TorchScript", archive(entry{name: "a/data.pkl", data: "}."}, entry{name: "a/constants.pkl", data: "}."}), "TorchScript"},
		{"compressed", archive(entry{name: "a/data.pkl", data: strings.Repeat("}", 4000), method: zip.Deflate}), "compressed"},
		{"big-endian", archive(entry{name: "a/data.pkl", data: "}."}, entry{name: "a/byteorder", data: "big"}), `byte order "big"`},
		{"empty pickle", pickled(""), "no end"},
		{"no stop", pickled("\x80\x02}"), "no end"},
		{"huge pickle", pickled(strings.Repeat("}", maxPickle) + "."), "want at most 1048576"},
		{"system call", pickled("cos\nsystem\n(" + text("true") + "tR."), "asks for the class os.system"},
		{"eval", pickled("cbuiltins\neval\n(" + text("1") + "tR."), "asks for the class builtins.eval"},
		{"class by stack", pickled("\x80\x04\x8c\x02os\x8c\x06system\x93."), "asks for the class os.system"},
		{"instance opcode", pickled("(ios\nsystem\n."), "opcode 0x69"},
		{"terabyte of bytes", pickled("\x8e\x00\x00\x00\x00\x00\x01\x00\x00."), "opcode 0x8e"},
		{"terabyte of text", pickled("X\xff\xff\xff\xff."), "cut off"},
		{"terabyte of frame", pickled("\x80\x04\x95\x00\x00\x00\x00\x00\x01\x00\x00."), "cut off"},
		{"integer without digits", pickled("\x8a\x00."), "without digits"},
		{"odd items", pickled("}(K\x01u."), "contradicts itself"},
		{"unhashable key", pickled("ccollections\nOrderedDict\n)R" + "(K\x01K\x02K\x03u."), "contradicts itself"},
		{"stack underflow", pickled("R."), "stack is empty"},
		{"unknown memo", pickled("h\x07."), "does not hold a dict"},
		{"call of a storage class", pickled("ctorch\nFloatStorage\n)R."), "Callable"},
		{"cyclic dict", pickled("}q\x00" + text("params") + "h\x00s."), "entry params is not a tensor"},
		{"empty dict", pickled("}."), "the file has no entries"},
		{"empty state dict", pickled(dict("params", "}") + "."), "no floating-point tensor"},
		{"number as tensor", pickled(dict("params", dict("conv.weight", "K\x01")) + "."), "entry conv.weight is not a tensor"},
		{"number as key", pickled("}K\x01" + rebuilt(float, "K\x00", ")", ")") + "s."), "a key that is no text"},
		{"tensor without storage", pickled(dict("a", rebuilt("K\x01", "K\x00", ")", ")")) + "."), "malformed"},
		{"tensor of too few facts", pickled(dict("a", "ctorch._utils\n_rebuild_tensor_v2\n)R") + "."), "lacks storage"},
		{"storage of unknown class", pickled(dict("a", rebuilt(reference("ComplexFloatStorage", "0", "K\x01"), "K\x00", ")", ")")) + "."), "torch.ComplexFloatStorage"},
		{"storage of negative size", pickled(dict("a", rebuilt(reference("FloatStorage", "0", "J\xff\xff\xff\xff"), "K\x00", ")", ")")) + "."), "reference to a storage is malformed"},
		{"storage that is absent", pickled(dict("a", rebuilt(reference("FloatStorage", "../1", "K\x01"), "K\x00", ")", ")")) + "."), `no storage "../1"`},
		{"storage that is short", pickled(dict("a", rebuilt(reference("FloatStorage", "0", "K\x02"), "K\x00", "K\x02\x85", "K\x01\x85")) + "."), "has 4 bytes, want 8"},
		{"storage that is long", pickled(dict("a", rebuilt(reference("HalfStorage", "0", "K\x01"), "K\x00", ")", ")")) + "."), "want at most 2"},
		{"storage of two sizes", pickled(float + reference("FloatStorage", "0", "K\x09") + "."), "two types or sizes"},
		{"huge storage", pickled(dict("a", rebuilt(reference("FloatStorage", "0", "J\xff\xff\xff\x7f"), "K\x00", ")", ")")) + "."), "want at most"},
		{"negative extent", pickled(dict("a", rebuilt(float, "K\x00", "J\xff\xff\xff\xff\x85", "K\x01\x85")) + "."), "impossible shape [-1]"},
		{"negative stride", pickled(dict("a", rebuilt(float, "K\x00", "K\x01\x85", "J\xff\xff\xff\xff\x85")) + "."), "impossible shape [1] or stride [-1]"},
		{"negative offset", pickled(dict("a", rebuilt(float, "J\xff\xff\xff\xff", ")", ")")) + "."), "offset -1"},
		{"offset outside", pickled(dict("a", rebuilt(float, "K\x01", ")", ")")) + "."), "reaches outside its storage"},
		{"stride outside", pickled(dict("a", rebuilt(reference("FloatStorage", "0", "K\x02"), "K\x00", "K\x02\x85", "K\x02\x85")) + "."), "reaches outside its storage"},
		{"shape without stride", pickled(dict("a", rebuilt(float, "K\x00", "K\x01\x85", ")")) + "."), "do not go together"},
		{"repeated elements", pickled(dict("a", rebuilt(float, "K\x00", "J\x00\x00\x00\x40\x85", "K\x00\x85")) + "."), "save it with .contiguous()"},
		{"overflow", pickled(dict("a", rebuilt(float, "K\x00", "J\xff\xff\xff\x7fJ\xff\xff\xff\x7fJ\xff\xff\xff\x7f\x87", "K\x00K\x00K\x00\x87")) + "."), "save it with .contiguous()"},
		{"legacy without end", legacyMagic, "no end"},
		{"legacy list of numbers", append(bytes.Clone(legacyMagic), "K\x01.}.}.]K\x01a."...), "list of storages is malformed"},
		{"legacy unused storage", append(bytes.Clone(legacyMagic), "K\x01.}.}.]U\x010a."...), `no tensor uses storage "0"`},
		{"legacy truncated", append(bytes.Clone(legacyMagic), "K\x01.}."+dict("a", rebuilt(float, "K\x00", ")", ")"))+".]U\x010a."...), "ends after the file"},
		{"legacy big-endian", append(bytes.Clone(legacyMagic), "K\x01."+dict("little_endian", "\x89")+".}.]."...), "big-endian"},
	}
	for _, test := range tests {
		tensors, err := loadBytes("x.pth", test.data)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "x.pth: ") {
			t.Errorf("%s: %d tensors, error %v, want one of x.pth that says %q", test.name, len(tensors), err, test.want)
		}
	}
}

func TestLoadNoticesDamage(t *testing.T) {
	data := require.Value(os.ReadFile("testdata/params.pth"))(t)
	z := require.Value(openZip(bytes.NewReader(data), int64(len(data))))(t)
	at := require.Value(z.entries[z.folder+"data/0"].DataOffset())(t)
	data[at+2] ^= 1
	if _, err := loadBytes("x.pth", data); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("a flipped bit: error %v, want one of the checksum", err)
	}
}

func FuzzLoad(f *testing.F) {
	files, err := filepath.Glob("testdata/*.pth")
	if err != nil || len(files) == 0 {
		f.Fatal("no seed files", err)
	}
	for _, name := range files {
		data := require.Value(os.ReadFile(name))(f)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { check(t, data) })
}

// FuzzPickle fuzzes the pickle alone: changed archives rarely get that far.
func FuzzPickle(f *testing.F) {
	f.Add([]byte(dict("a", rebuilt(reference("FloatStorage", "0", "K\x01"), "K\x00", ")", ")")) + "."))
	f.Add([]byte("\x80\x02ccollections\nOrderedDict\n)Rq\x00h\x00}b."))
	f.Fuzz(func(t *testing.T, code []byte) { check(t, pickled(string(code))) })
}

// check loads data, which may fail; what loads must be whole.
func check(t *testing.T, data []byte) {
	t.Helper()
	var (
		tensors map[string]*tensor.Tensor
		err     error
	)
	// An entry's thousand bytes are one in the file, and become objects.
	bombs.Budget(t, 64<<20, 1<<16, len(data), func() { tensors, err = loadBytes("fuzz.pth", data) })
	if err != nil {
		return
	}
	for name, x := range tensors {
		n := 1
		for _, d := range x.Shape {
			n *= d
		}
		if n != len(x.Data) {
			t.Errorf("tensor %s has shape %v and %d values", name, x.Shape, len(x.Data))
		}
	}
}
