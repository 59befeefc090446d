package convert

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/namedfile"
)

const numbersHelp = "f32, f16; for a ResNet-12 i8 (filters as bytes: a quarter of f32), or i6, i5, i4, i3 (bytes in which most filters use " +
	"fewer bits: compressed, 73, 59, 45 or 32% of i8); for other networks int8 (weights as bytes, " +
	"for 8-bit products of linear layers and 1×1 convolutions: a quarter of f32, and faster)"

// numbers is the format of a file's numbers.
type numbers struct {
	dtype weights.DType
	bits  int // of most filters for weights.I8, of weights for weights.W8
}

func parseNumbers(name string) (numbers, error) {
	switch strings.ToLower(name) {
	case "f32":
		return numbers{dtype: weights.F32}, nil
	case "f16":
		return numbers{dtype: weights.F16}, nil
	case "i8":
		return numbers{weights.I8, backbone.MaxBits}, nil
	case "i6":
		return numbers{weights.I8, 6}, nil
	case "i5":
		return numbers{weights.I8, 5}, nil
	case "i4":
		return numbers{weights.I8, 4}, nil
	case "i3":
		return numbers{weights.I8, backbone.MinBits}, nil
	case "int8":
		return numbers{weights.W8, 8}, nil
	}
	return numbers{}, fmt.Errorf("--dtype %s: want f32, f16, i8, i6, i5, i4, i3 or int8", name)
}

func (n numbers) String() string {
	switch n.dtype {
	case weights.I8:
		return fmt.Sprintf("i%d", n.bits)
	case weights.W8:
		return "int8"
	}
	return strings.ToLower(n.dtype.String())
}

// round rounds a network's filters to the format, if this is more than rounding each weight.
func (n numbers) round(f *weights.File) (*weights.File, error) {
	twelve := f.Meta.Arch == backbone.ArchResNet12
	switch {
	case n.dtype == weights.W8 && twelve:
		return nil, fmt.Errorf("--dtype int8 is for networks with linear layers or 1×1 convolutions, %s is a ResNet-12: want i8, or fewer bits", f.Meta.Name)
	case n.dtype == weights.I8 && !twelve:
		return nil, fmt.Errorf("--dtype %v is for a ResNet-12, %s is of architecture %s: want int8", n, f.Meta.Name, f.Meta.Arch)
	case n.dtype == weights.W8:
		return f.Quantized(), nil
	case n.dtype == weights.I8:
		return backbone.Whole(f, n.bits)
	}
	return f, nil
}

// zipped returns the size of a file after gzip compression.
func zipped(path string) (int64, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, namedfile.Explain(err)
	}
	defer file.Close()
	var size counter
	z, err := gzip.NewWriterLevel(&size, gzip.BestCompression)
	if err != nil {
		return 0, err
	}
	if _, err := io.Copy(z, file); err != nil {
		return 0, err
	}
	if err := z.Close(); err != nil {
		return 0, err
	}
	return int64(size), nil
}

// counter counts the written bytes.
type counter int64

// Write implements io.Writer. It never fails.
func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
