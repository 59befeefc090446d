package convert

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/namedfile"
)

const numbersHelp = "f32, f16 (tensors with numbers beyond ±65504 stay f32); for a ResNet-12 i8 (filters as bytes: a quarter of f32), or i6, i5, i4, i3 (bytes in which most filters use " +
	"fewer bits: compressed, 73, 59, 45 or 32% of i8); for other networks int8 (weights as bytes, " +
	"for 8-bit products of linear layers and 1×1 convolutions: a quarter of f32, and faster)"

// numbers is the format of a file's numbers.
type numbers struct {
	name  string
	dtype weights.DType
	bits  int // of most filters for weights.I8
}

// The usual formats.
var (
	f32 = numbers{"f32", weights.F32, 0}
	f16 = numbers{"f16", weights.F16, 0}
)

func parseNumbers(name string) (numbers, error) {
	for _, n := range []numbers{f32, f16, {"i8", weights.I8, backbone.MaxBits}, {"i6", weights.I8, 6}, {"i5", weights.I8, 5}, {"i4", weights.I8, 4}, {"i3", weights.I8, backbone.MinBits}, {"int8", weights.W8, 0}} {
		if n.name == strings.ToLower(name) {
			return n, nil
		}
	}
	return numbers{}, fmt.Errorf("--dtype %s: want f32, f16, i8, i6, i5, i4, i3 or int8", name)
}

// round rounds a network's filters to the format, if this is more than rounding each weight.
func (n numbers) round(f *weights.File) (*weights.File, error) {
	twelve := f.Meta.Arch == backbone.ArchResNet12
	switch {
	case n.dtype == weights.W8 && twelve:
		return nil, fmt.Errorf("--dtype int8 is for networks with linear layers or 1×1 convolutions, %s is a ResNet-12: want i8, or fewer bits", f.Meta.Name)
	case n.dtype == weights.I8 && !twelve:
		return nil, fmt.Errorf("--dtype %s is for a ResNet-12, %s is of architecture %s: want int8", n.name, f.Meta.Name, f.Meta.Arch)
	case n.dtype == weights.W8:
		return f.Quantized(), nil
	case n.dtype == weights.I8:
		return backbone.WithIntegerFilters(f, n.bits)
	}
	return f, nil
}

// zipped returns the size of a file after gzip compression.
func zipped(path string) (int, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, namedfile.Explain(err)
	}
	var small bytes.Buffer
	z, _ := gzip.NewWriterLevel(&small, gzip.BestCompression) // the level is valid
	_, err = z.Write(data)
	err = errors.Join(err, z.Close())
	return small.Len(), err
}
