package netfile

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

func loadFile(t testing.TB, path string) (map[string]*tensor.Tensor, error) {
	t.Helper()
	data := require.Value(os.ReadFile(path))(t)
	return LoadTorch(filepath.Base(path), data)
}

// The files that testdata/make.py saved in each format.
func TestLoad(t *testing.T) {
	transposed := tensor.New(4, 2, 3)
	for i := range transposed.Data {
		a, b, c := i/6, i/3%2, i%3
		transposed.Data[i] = float32(12*b + 4*c + a)
	}
	plain := tensor.New(2, 3, 4)
	for i := range plain.Data {
		plain.Data[i] = float32(i)
	}
	want := map[string]*tensor.Tensor{
		"plain":      plain,
		"transposed": transposed,
		"sliced":     tensor.Of([]float32{4, 6, 8, 10, 16, 18, 20, 22}, 2, 2, 2),
		"scalar":     tensor.Of([]float32{2.5}),
		"parameter":  tensor.Of([]float32{1, -1}, 2),
	}
	for _, name := range []string{"params.pth", "params-legacy.pth", "params-protocol4.pth", "state_dict.pth", "bare.pth"} {
		got, err := loadFile(t, filepath.Join("testdata", name))
		if err != nil {
			t.Error(err)
			continue
		}
		for key := range want {
			if !reflect.DeepEqual(got[key].Data, want[key].Data) || !got[key].HasShape(want[key].Shape...) {
				t.Errorf("%s: tensor %s is %v, want %v", name, key, got[key], want[key])
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d tensors, want %d", name, len(got), len(want))
		}
	}
}

// Checkpoints of PyTorch's ImageNet example have the best accuracy, a tensor, next to the state dict.
func TestLoadCheckpoint(t *testing.T) {
	scalar := rebuilt(reference("FloatStorage", "0", "K\x01"), "K\x00", ")", ")")
	got, err := LoadTorch("x.pth", pickled("}"+text("epoch")+"K\x05s"+text("state_dict")+dict("module.w", scalar)+"s"+text("best_acc1")+scalar+"s."))
	if err != nil || len(got) != 1 || got["w"] == nil {
		t.Errorf("read %v, %v, want only w", got, err)
	}
}

func TestLoadElementTypes(t *testing.T) {
	got := require.Value(loadFile(t, "testdata/types.pth"))(t)
	for _, name := range []string{"half", "brain", "double"} {
		if fmt.Sprint(got[name].Data) != "[1.5 -2]" {
			t.Errorf("tensor %s is %v, want [1.5 -2]", name, got[name].Data)
		}
	}
}

func TestLoadRefusesFiles(t *testing.T) {
	for name, want := range map[string]string{
		"nan.pth":      "tensor bn1.weight: value 1 of 2 is NaN",
		"expanded.pth": "tensor wide: shape [1000 1000] exceeds its storage of 1 values",
		"class.pth":    "uses the class argparse.Namespace; only tensors in plain dicts are supported",
		"list.pth":     "does not hold a dict",
		"keys.pth":     `no state dict under params, state_dict or model; the file has "weights", "epoch"`,
	} {
		tensors, err := loadFile(t, filepath.Join("testdata", name))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%s: %d tensors, error %v, want one that says %q", name, len(tensors), err, want)
		}
	}
}

// The sums are PyTorch's own, over the float16 values raised to double.
func TestLoadReference(t *testing.T) {
	for _, test := range []struct {
		file     string
		widths   []int
		values   int
		sum, abs float64
		three    []float32
	}{
		{"resnet12-s-tiny.pth", []int{32, 80, 160, 320}, 3161814, 2962.7194108963013, 57848.58594930172,
			[]float32{-0.02252197265625, -0.023345947265625, -0.0504150390625}},
		{"resnet12-cifarfs.pth", []int{64, 160, 320, 640}, 12474816, 1273.8464288115501, 163780.59172314405,
			[]float32{-0.0242767333984375, -0.0091400146484375, -0.0011377334594726562}},
	} {
		tensors := require.Value(loadFile(t, require.Shared(t, "reference/"+test.file)))(t)
		if len(tensors) != 82 {
			t.Errorf("%s: %d tensors, want 82", test.file, len(tensors))
		}
		widths, err := TorchWidths(test.file, tensors)
		if err != nil || !reflect.DeepEqual(widths, test.widths) {
			t.Errorf("%s: widths %v, %v, want %v", test.file, widths, err, test.widths)
		}
		values, sum, abs := 0, 0.0, 0.0
		for _, x := range tensors {
			values += len(x.Data)
			for _, v := range x.Data {
				sum += float64(v)
				abs += math.Abs(float64(v))
			}
		}
		if values != test.values || !(math.Abs(sum-test.sum) <= 1e-6) || !(math.Abs(abs-test.abs) <= 1e-6) {
			t.Errorf("%s: %d values, sum %v, of magnitudes %v; want %d, %v, %v", test.file, values, sum, abs, test.values, test.sum, test.abs)
		}
		if got := tensors["encoder.layer3.0.conv2.weight"].Data[:3]; !reflect.DeepEqual(got, test.three) {
			t.Errorf("%s: layer 3's second convolution starts %v, want %v", test.file, got, test.three)
		}
	}
}

func TestWidthsRefuses(t *testing.T) {
	conv := func(i int) string { return fmt.Sprintf("encoder.layer%d.0.conv1.weight", i) }
	broken := map[string]*tensor.Tensor{conv(1): tensor.New(8, 3, 3, 3), conv(2): tensor.New(16, 9, 3, 3)}
	for _, test := range []struct {
		tensors map[string]*tensor.Tensor
		want    string
	}{
		{map[string]*tensor.Tensor{"a": nil, "b": nil, "c": nil, "d": nil, "e": nil},
			"w.pth: no tensor encoder.layer1.0.conv1.weight: not a ResNet-12 of the reference implementation? It has a, b, c and 2 more"},
		{broken, "w.pth: tensor encoder.layer2.0.conv1.weight has shape [16 9 3 3], want [width 8 3 3]: not a ResNet-12 of the reference implementation?"},
	} {
		if _, err := TorchWidths("w.pth", test.tensors); err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}

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

// pickled returns an archive with one storage of four bytes and the given pickle.
func pickled(code string) []byte {
	return archive(entry{name: "a/data.pkl", data: code}, entry{name: "a/data/0", data: "\x00\x00\x80\x3f"})
}

// text returns the opcodes of a string.
func text(s string) string {
	return "X" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s
}

// reference returns the opcodes of a storage: class, key and number of elements.
func reference(class, key, count string) string {
	return "(" + text("storage") + "ctorch\n" + class + "\n" + text(key) + text("cpu") + count + "tQ"
}

// rebuilt returns the opcodes of a tensor.
func rebuilt(storage, offset, size, stride string) string {
	return "ctorch._utils\n_rebuild_tensor_v2\n(" + storage + offset + size + stride + "\x89}tR"
}

// dict returns the opcodes of {name: value}.
func dict(name, value string) string { return "}" + text(name) + value + "s" }

func TestLoadRefusesHostile(t *testing.T) {
	float := reference("FloatStorage", "0", "K\x01")
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "not one of PyTorch's file formats"},
		{"text", []byte("hello, this is text"), "not one of PyTorch's file formats"},
		{"a web page", []byte("<html></html>"), "web page"},
		{"half a zip", pickled("}.")[:40], "unreadable zip archive"},
		{"another zip", archive(entry{name: "readme", data: "hi"}), "without data.pkl"},
		{"TorchScript", archive(entry{name: "a/data.pkl", data: "}."}, entry{name: "a/constants.pkl", data: "}."}), "TorchScript"},
		{"TorchScript of torch.jit.save", archive(entry{name: "ts/data.pkl", data: "}."}, entry{name: "ts/code/__torch__/net.py", data: strings.Repeat("x", 4000), method: zip.Deflate}), "TorchScript"},
		{"compressed", archive(entry{name: "a/data.pkl", data: strings.Repeat("}", 4000), method: zip.Deflate}), "compressed"},
		{"big-endian", archive(entry{name: "a/data.pkl", data: "}."}, entry{name: "a/byteorder", data: "big"}), `byte order "big"`},
		{"empty pickle", pickled(""), "no end"},
		{"no stop", pickled("\x80\x02}"), "no end"},
		{"huge pickle", pickled(strings.Repeat("}", maxPickle) + "."), "want at most 1048576"},
		{"system call", pickled("cos\nsystem\n(" + text("true") + "tR."), "uses the class os.system"},
		{"eval", pickled("cbuiltins\neval\n(" + text("1") + "tR."), "uses the class builtins.eval"},
		{"class by stack", pickled("\x80\x04\x8c\x02os\x8c\x06system\x93."), "uses the class os.system"},
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
		{"number as key", pickled("}K\x01" + rebuilt(float, "K\x00", ")", ")") + "s."), "a key that is not a string"},
		{"tensor without storage", pickled(dict("a", rebuilt("K\x01", "K\x00", ")", ")")) + "."), "malformed"},
		{"tensor of too few facts", pickled(dict("a", "ctorch._utils\n_rebuild_tensor_v2\n)R") + "."), "lacks storage"},
		{"storage of unknown class", pickled(dict("a", rebuilt(reference("ComplexFloatStorage", "0", "K\x01"), "K\x00", ")", ")")) + "."), "torch.ComplexFloatStorage"},
		{"storage that is a view", pickled(dict("a", rebuilt("("+text("storage")+"ctorch\nFloatStorage\n"+text("0")+text("cpu")+"K\x01"+text("view")+"tQ", "K\x00", ")", ")")) + "."), "a view of another"},
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
		{"stride that overflows", pickled(dict("a", rebuilt(reference("HalfStorage", "0", "K\x02"), "K\x01", "K\x02\x85", "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f\x85")) + "."), "reaches outside its storage"},
		{"nine axes", pickled(dict("a", rebuilt(float, "K\x00", "("+strings.Repeat("K\x01", 9)+"t", "("+strings.Repeat("K\x01", 9)+"t")) + "."), "malformed"},
		{"shape without stride", pickled(dict("a", rebuilt(float, "K\x00", "K\x01\x85", ")")) + "."), "do not match"},
		{"repeated elements", pickled(dict("a", rebuilt(float, "K\x00", "J\x00\x00\x00\x40\x85", "K\x00\x85")) + "."), "save it with .contiguous()"},
		{"overflow", pickled(dict("a", rebuilt(float, "K\x00", "J\xff\xff\xff\x7fJ\xff\xff\xff\x7fJ\xff\xff\xff\x7f\x87", "K\x00K\x00K\x00\x87")) + "."), "save it with .contiguous()"},
		{"legacy without end", legacyMagic, "no end"},
		{"legacy list of numbers", append(bytes.Clone(legacyMagic), "K\x01.}.}.]K\x01a."...), "list of storages is malformed"},
		{"legacy unused storage", append(bytes.Clone(legacyMagic), "K\x01.}.}.]U\x010a."...), `no tensor uses storage "0"`},
		{"legacy truncated", append(bytes.Clone(legacyMagic), "K\x01.}."+dict("a", rebuilt(float, "K\x00", ")", ")"))+".]U\x010a."...), "ends after the file"},
		{"legacy truncated by a byte", append(bytes.Clone(legacyMagic), "K\x01.}."+dict("a", rebuilt(float, "K\x00", ")", ")"))+".]U\x010a.\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80"...), "ends after the file"},
		{"legacy big-endian", append(bytes.Clone(legacyMagic), "K\x01."+dict("little_endian", "\x89")+".}.]."...), "big-endian"},
	}
	for _, test := range tests {
		tensors, err := LoadTorch("x.pth", test.data)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "x.pth: ") {
			t.Errorf("%s: %d tensors, error %v, want one of x.pth that says %q", test.name, len(tensors), err, test.want)
		}
	}
}

func TestLoadNoticesDamage(t *testing.T) {
	data := require.Value(os.ReadFile("testdata/params.pth"))(t)
	z := require.Value(newZipFile(data))(t)
	at := require.Value(z.entries[z.folder+"data/0"].DataOffset())(t)
	data[at+2] ^= 1
	if _, err := LoadTorch("x.pth", data); err == nil || !strings.Contains(err.Error(), "checksum") {
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

// check loads data, which may fail. Loaded tensors must be complete.
func check(t *testing.T, data []byte) {
	t.Helper()
	var (
		tensors map[string]*tensor.Tensor
		err     error
	)
	// An entry's thousand bytes are one in the file, and become objects.
	bombs.Budget(t, 64<<20, 1<<16, len(data), func() { tensors, err = LoadTorch("fuzz.pth", data) })
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
