package arrays

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npy"
	dense "gorgonia.org/tensor"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

// file puts a .npy file together from its version, header and values.
func file(version byte, header string, values ...byte) []byte {
	raw := []byte{0x93, 'N', 'U', 'M', 'P', 'Y', version, 0, byte(len(header)), byte(len(header) >> 8)}
	if version > 1 {
		raw = append(raw, 0, 0)
	}
	return append(append(raw, header...), values...)
}

func TestNPYRoundTrip(t *testing.T) {
	large := make([]float32, 3*chunk+5) // more than is read at a time
	for i := range large {
		large[i] = rand.Float32()
	}
	for _, d := range []*dense.Dense{
		dense.New(dense.WithShape(2, 3), dense.WithBacking([]float32{1, 2, 3, 4, -5, 6e-30})),
		dense.New(dense.WithShape(1, 2, 1, 2), dense.WithBacking([]float64{1, 2, 3, 1e300})),
		dense.New(dense.WithShape(3), dense.WithBacking([]int64{1 << 40, -2, 3})),
		dense.New(dense.WithShape(3), dense.WithBacking([]int32{1 << 30, -2, 3})),
		dense.New(dense.WithShape(2, 1), dense.WithBacking([]uint8{0, 255})),
		dense.New(dense.WithShape(1), dense.WithBacking([]float32{7})),
		dense.New(dense.WithShape(), dense.WithBacking([]float32{7})),
		dense.New(dense.WithShape(len(large)), dense.WithBacking(large)),
	} {
		var out bytes.Buffer
		if err := WriteNPY(&out, d); err != nil {
			t.Errorf("%v of %v: %v", d.Shape(), d.Dtype(), err)
			continue
		}
		raw := bytes.Clone(out.Bytes())
		back, err := ReadNPY(&out)
		if err != nil {
			t.Errorf("%v of %v: %v", d.Shape(), d.Dtype(), err)
			continue
		}
		if !back.Shape().Eq(d.Shape()) || !reflect.DeepEqual(back.Data(), d.Data()) {
			t.Errorf("%v of %v came back as %v of %v", d.Shape(), d.Dtype(), back.Shape(), back.Dtype())
		}
		if d.Dtype() == dense.Int64 {
			continue // which gorgonia takes for int, and cannot read
		}
		// Gorgonia reads it likewise.
		var theirs dense.Dense
		if err := theirs.ReadNpy(bytes.NewReader(raw)); err != nil || !reflect.DeepEqual(theirs.Data(), d.Data()) {
			t.Errorf("%v of %v: gorgonia reads %v of %v, %v", d.Shape(), d.Dtype(), theirs.Shape(), theirs.Dtype(), err)
		}
	}
}

// TestNPYBytes pins the file that NumPy writes of the same array.
func TestNPYBytes(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, WriteNPY(&out, dense.New(dense.WithShape(3), dense.WithBacking([]float32{1, 2, -2}))))
	want := "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }" + strings.Repeat(" ", 60) + "\n" +
		"\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x00\xc0"
	if out.String() != want {
		t.Errorf("wrote %q, want %q", out.String(), want)
	}
}

func TestReadsWhatOthersWrite(t *testing.T) {
	want := []float32{1, 2, 3, 4, 5, 6}
	d := dense.New(dense.WithShape(2, 3), dense.WithBacking(want))
	var gorgonias, npyios bytes.Buffer
	require.NoError(t, d.WriteNpy(&gorgonias))
	require.NoError(t, npy.Write(&npyios, want))
	for name, raw := range map[string]io.Reader{
		"gorgonia": &gorgonias, "npyio": &npyios,
		"version 2": bytes.NewReader(file(2, "{'descr':'<f2','fortran_order':False,'shape':(6,)}\n",
			0, 0x3c, 0, 0x40, 0, 0x42, 0, 0x44, 0, 0x45, 0, 0x46)),
	} {
		got, err := ReadNPY(raw)
		if err != nil || !reflect.DeepEqual(got.Data(), want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	// npyio reads the package's files.
	var ours bytes.Buffer
	require.NoError(t, WriteNPY(&ours, d))
	r := require.Value(npy.NewReader(&ours))(t)
	var got []float32
	if err := r.Read(&got); err != nil || !reflect.DeepEqual(got, want) || fmt.Sprint(r.Header.Descr.Shape) != "[2 3]" {
		t.Errorf("npyio reads %v %v, %v", r.Header.Descr.Shape, got, err)
	}
}

// A column-major file holds the same array as a row-major one.
func TestReadColumnMajor(t *testing.T) {
	raw := file(1, "{'shape': (2, 3, 2), 'fortran_order': True, 'descr': '|u1'}", 0, 100, 10, 110, 20, 120, 1, 101, 11, 111, 21, 121)
	d := require.Value(ReadNPY(bytes.NewReader(raw)))(t)
	if want := []uint8{0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121}; !reflect.DeepEqual(d.Data(), want) {
		t.Errorf("values %v, want %v", d.Data(), want)
	}
}

func TestReadNPYRefuses(t *testing.T) {
	const good = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }"
	with := func(old, new string) []byte { return file(1, strings.Replace(good, old, new, 1), 0, 0, 0x80, 0x3f) }
	require.Value(ReadNPY(bytes.NewReader(with("", ""))))(t)
	for _, test := range []struct {
		name string
		raw  []byte
		want string
	}{
		{"nothing", nil, "not a NumPy file"},
		{"an archive", []byte("PK\x03\x04aaaaaaa"), "not a NumPy file"},
		{"version 0", file(0, good), "version 0"},
		{"version 4", file(4, good), "version 4"},
		{"no length", []byte("\x93NUMPY\x01\x00"), "is the file complete?"},
		{"half a length", []byte("\x93NUMPY\x02\x00\x10"), "is the file complete?"},
		{"enormous header", []byte("\x93NUMPY\x02\x00\xff\xff\xff\x7f"), "header of 2147483647 bytes"},
		{"half a header", file(1, good)[:30], "is the file complete?"},
		{"no values", file(1, good), "after 0 of 1 values: is the file complete?"},
		{"absurd shape", with("(1,)", "(99999999999,)"), "after 0 of 99999999999 values"},
		{"overflow", with("(1,)", "(4294967296, 4294967296)"), "impossible shape"},
		{"too large a number", with("(1,)", "(99999999999999999999,)"), "cannot unmarshal number"},
		{"negative", with("(1,)", "(-1,)"), "impossible shape"},
		{"no elements", with("(1,)", "(0, 3)"), "has no values"},
		{"many axes", with("(1,)", "("+strings.Repeat("1,", 33)+")"), "33 axes"},
		{"big-endian", with("<f4", ">f4"), `elements of type ">f4"`},
		{"complex", with("<f4", "<c8"), ".astype('<f4')"},
		{"objects", with("<f4", "|O"), `elements of type "|O"`},
		{"records", with("'<f4'", "[('a', '<f4')]"), "descr of type string"},
		{"no dict", with("{", "["), "the file is damaged"},
		{"no end", with(", }", ""), "the file is damaged"},
		{"no quotes", with("'descr'", "descr"), "the file is damaged"},
		{"open string", file(1, "{'descr"), "the file is damaged"},
		{"no colon", with(":", ""), "the file is damaged"},
		{"neither true nor false", with("False", "Maybe"), "the file is damaged"},
		{"shape is a number", with("(1,)", "1"), "shape of type []int"},
		{"unknown entry", with("'descr'", "'order'"), `unknown field "order"`},
		{"no type", with("'descr': '<f4',", ""), "want descr, fortran_order and shape"},
		{"no shape", with("'shape': (1,),", ""), "want descr, fortran_order and shape"},
		{"an entry less", with("'fortran_order': False,", ""), "want descr, fortran_order and shape"},
		{"more text", with("}", "} + 1"), "the file is damaged"},
	} {
		d, err := ReadNPY(bytes.NewReader(test.raw))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, error %v, want one that says %q", test.name, d, err, test.want)
		}
	}
}

func TestWriteNPYRefuses(t *testing.T) {
	square := dense.New(dense.WithShape(4, 4), dense.WithBacking(dense.Range(dense.Float32, 0, 16)))
	column := require.Value(square.Slice(nil, dense.S(1)))(t)
	masked := dense.New(dense.WithShape(2), dense.WithBacking([]float32{1, 2}, []bool{true, false}))
	for _, test := range []struct {
		name string
		d    *dense.Dense
		want string
	}{
		{"words", dense.New(dense.WithShape(1), dense.WithBacking([]string{"a"})), "an array of string"},
		{"a column", column.(*dense.Dense), "copy it first (Materialize)"},
		{"column by column", dense.New(dense.WithShape(2, 2), dense.AsFortran([]float32{1, 2, 3, 4})), "not contiguous"},
		{"masked", masked, "mask"},
	} {
		var out bytes.Buffer
		if err := WriteNPY(&out, test.d); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that says %q", test.name, err, test.want)
		}
		if out.Len() > 0 {
			t.Errorf("%s: wrote %d bytes before the error", test.name, out.Len())
		}
	}
	stopped := errors.New("stopped")
	row := func(i int, _ []float32) error { return map[int]error{1: stopped}[i] }
	if err := WriteRows(io.Discard, 3, 2, row); err != stopped {
		t.Errorf("error %v, want that of the row", err)
	}
	if err := WriteRows(io.Discard, 0, 2, row); err == nil {
		t.Error("no rows: no error")
	}
}

var errFull = errors.New("no space left")

// full is a writer without room after a number of bytes.
type full int

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), int(*f))
	*f -= full(n)
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

// TestWritersFail: wherever the room ends, writing returns the writer's error.
func TestWritersFail(t *testing.T) {
	square := dense.New(dense.WithShape(4, 4), dense.WithBacking(dense.Range(dense.Float32, 0, 16)))
	weights := network(nil)
	for name, write := range map[string]func(io.Writer) error{
		"array":   func(w io.Writer) error { return WriteNPY(w, square) },
		"rows":    func(w io.Writer) error { return WriteRows(w, 3, 2, func(int, []float32) error { return nil }) },
		"weights": func(w io.Writer) error { return WriteNPZ(w, weights) },
	} {
		var whole bytes.Buffer
		require.NoError(t, write(&whole))
		for room := 0; room < whole.Len(); room += max(1, whole.Len()/97) {
			if err := write(new(full(room))); !errors.Is(err, errFull) {
				t.Errorf("%s: room for %d of %d bytes: error %v, want that of the writer", name, room, whole.Len(), err)
			}
		}
	}
}

func FuzzReadNPY(f *testing.F) {
	f.Add(file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }", 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40))
	f.Add(file(2, "{'shape': (2, 2), 'fortran_order': True, 'descr': \"|u1\"}\n", 1, 2, 3, 4))
	f.Add(file(3, "{'descr': '<f2', 'fortran_order': False, 'shape': ()}", 0, 0x3c))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var d *dense.Dense
		var err error
		bombs.Budget(t, 4<<20, 512, len(raw), func() { d, err = ReadNPY(bytes.NewReader(raw)) })
		if err != nil {
			return
		}
		// Arrays that can be read can be written, and read back the same, compared as bytes: NaN
		// differs from itself.
		var first, second bytes.Buffer
		if err := WriteNPY(&first, d); err != nil {
			t.Fatalf("read, but does not write: %v", err)
		}
		again, err := ReadNPY(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("written, but does not read: %v", err)
		}
		if err := WriteNPY(&second, again); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("changed on the way: %v of %v, %v", again.Shape(), again.Dtype(), err)
		}
	})
}

var (
	mean = [3]float32{0.5, 0.25, 0}
	std  = [3]float32{0.5, 0.25, 1}
)

// made returns an array of test data.
func made(d *dense.Dense, err error) *dense.Dense {
	if err != nil {
		panic(err)
	}
	return d
}

// TestPictures reads the same two images in every form.
func TestPictures(t *testing.T) {
	const side = 2
	pixels := make([]uint8, 2*side*side*3)
	for i := range pixels {
		pixels[i] = uint8(51 * (i % 5)) // the images differ
	}
	values := make([]float32, len(pixels))
	for i, v := range pixels {
		values[i] = (float32(v)/255 - mean[i%3]) / std[i%3]
	}
	swap := func(d *dense.Dense, err error) *dense.Dense {
		if err == nil {
			err = d.T(0, 3, 1, 2)
		}
		if err == nil {
			err = d.Transpose()
		}
		require.NoError(t, err)
		return d
	}
	for name, d := range map[string]*dense.Dense{
		"pixels":                 made(Pixels(slices.Clone(pixels), 2, side)),
		"values":                 made(newDense(slices.Clone(values), 2, side, side, 3)),
		"pixels, channels first": swap(Pixels(slices.Clone(pixels), 2, side)),
		"values, channels first": swap(newDense(slices.Clone(values), 2, side, side, 3)),
	} {
		p, err := NewPictures(d)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if p.N != 2 || p.Side != side || (p.Pixels == nil) == (p.Values == nil) {
			t.Errorf("%s: %+v", name, p)
		}
		if got := p.Input(0, 2, mean, std); !reflect.DeepEqual(got.Data, values) || !got.HasShape(2, side, side, 3) {
			t.Errorf("%s: input %v, want %v", name, got, values)
		}
		if got := p.Input(1, 2, mean, std); !reflect.DeepEqual(got.Data, values[12:]) {
			t.Errorf("%s: second picture %v, want %v", name, got, values[12:])
		}
	}
}

func TestPicturesRefuses(t *testing.T) {
	bad := make([]float32, 24)
	bad[13] = float32(math.NaN())
	infinite := make([]float32, 12)
	infinite[0] = float32(math.Inf(1))
	for want, d := range map[string]*dense.Dense{
		"shape []":                   dense.New(dense.FromScalar(float32(1))),
		"shape [2 3]":                made(newDense(make([]uint8, 6), 2, 3)),
		"shape [1 2 4 3]":            made(newDense(make([]uint8, 24), 1, 2, 4, 3)),
		"shape [2 2 2 4]":            made(newDense(make([]uint8, 32), 2, 2, 2, 4)),
		"shape [2 4 2 2]":            made(newDense(make([]uint8, 32), 2, 4, 2, 2)),
		"shape [1 3 2 4]":            made(newDense(make([]uint8, 24), 1, 3, 2, 4)),
		"want pixels of uint8":       made(newDense(make([]float64, 12), 1, 2, 2, 3)),
		"image 0 has the value +Inf": made(newDense(infinite, 1, 2, 2, 3)),
		"image 1 has the value NaN":  made(newDense(bad, 2, 2, 2, 3)),
	} {
		if p, err := NewPictures(d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("read %v, error %v, want one that says %q", p, err, want)
		}
	}
	if _, err := Pixels(nil, 0, 4); err == nil {
		t.Error("no pixels: no error")
	}
}
