package onnx_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/onnx"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// tolerance bounds the difference of a feature from the project's own engine, in root mean
// squares of all.
const tolerance = 1e-4

// TestRunsInOnnxruntime compares onnxruntime's output for a model with the engine's output for the
// weights.
func TestRunsInOnnxruntime(t *testing.T) {
	sized := [][3]int{{2, 84, 84}}
	for _, test := range []struct {
		name  string
		file  *weights.File
		sizes [][3]int
	}{
		{"the default network", defaultNetwork(t), [][3]int{{1, 32, 32}, {3, 64, 64}, {2, 84, 84}}},
		{"odd widths and sides", networktest.ResNet12([]int{5, 7, 12, 9}, 32, 1), [][3]int{{2, 16, 16}, {1, 37, 55}, {4, 91, 33}}},
		{"a ResNet with a bottleneck", networktest.Residual(true), [][3]int{{2, 64, 64}, {1, 91, 33}}},
		{"MobileNetV3", networktest.MobileNet(), [][3]int{{2, 64, 64}, {1, 37, 55}}},
		{"MobileNetV2", second(t), [][3]int{{2, 64, 64}, {1, 37, 55}}},
		{"MobileNet v1", networktest.FirstMobileNet(), [][3]int{{2, 64, 64}, {1, 37, 55}, {1, 224, 98}}},
		{"a transformer", networktest.Transformer(), sized},
		{"a transformer at another size", changed(func(f *weights.File) { f.Meta.InputSize = 112 }), [][3]int{{1, 112, 112}}},
		{"a transformer with registers", changed(withRegisters), sized},
		{"a transformer without a class token", changed(withoutClass), sized},
	} {
		t.Run(test.name, func(t *testing.T) {
			runtime := startRuntime(t, test.file)
			network := require.Value(backbone.New(test.file, backbone.Options{}))(t)
			for _, s := range test.sizes {
				pictures := networktest.Pictures(s[0], max(s[1], s[2]), 7)
				pictures = tensor.Of(pictures.Data[:s[0]*s[1]*s[2]*3], s[0], s[1], s[2], 3)
				want := require.Value(network.Forward(pictures))(t)
				got := channelsLast(runtime.run(t, channelsFirst(pictures)))
				if !slices.Equal(got.Shape, want.Shape) {
					t.Fatalf("%v pictures: features %v, want %v", s, got.Shape, want.Shape)
				}
				worst, squares := 0.0, 0.0
				for i, v := range want.Data {
					worst = max(worst, math.Abs(float64(got.Data[i]-v)))
					squares += float64(v) * float64(v)
				}
				worst /= math.Sqrt(squares / float64(len(want.Data)))
				t.Logf("%d pictures of %d×%d: worst difference %.1e of the root mean square", s[0], s[2], s[1], worst)
				if !(worst <= tolerance) {
					t.Errorf("%v pictures: features differ by %g, want at most %g", s, worst, tolerance)
				}
			}
		})
	}
}

// defaultNetwork reads the weights that the project ships.
func defaultNetwork(t *testing.T) *weights.File {
	t.Helper()
	f := require.Value(weights.Decode(network.ResNet12PhotoFile, network.ResNet12PhotoWeights()))(t)
	return f
}

// array is a tensor as testdata/run.mjs exchanges it.
type array struct {
	Dims []int  `json:"dims"`
	Data string `json:"data"`
}

// onnxruntime is a process that runs a model.
type onnxruntime struct {
	in  io.Writer
	out *bufio.Scanner
}

// startRuntime runs the model of f in onnxruntime-web under Node, until the test
// ends. The test is skipped where either is missing.
func startRuntime(t *testing.T, f *weights.File) *onnxruntime {
	t.Helper()
	const remedy = "make bench-peers installs it (into build/peers)"
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node to run onnxruntime-web in: install Node.js; then " + remedy)
	}
	folder := filepath.Join("..", "..", "build", "peers", "node_modules", "onnxruntime-web")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("no onnxruntime-web: " + remedy)
	}
	folder = require.Value(filepath.Abs(folder))(t)
	var model bytes.Buffer
	require.NoError(t, onnx.Encode(&model, f))
	path := filepath.Join(t.TempDir(), "model.onnx")
	require.NoError(t, os.WriteFile(path, model.Bytes(), 0o666))
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	process := exec.CommandContext(ctx, node, filepath.Join("testdata", "run.mjs"), folder, path)
	in := require.Value(process.StdinPipe())(t)
	out, err := process.StdoutPipe()
	require.NoError(t, err)
	var complaints bytes.Buffer
	process.Stderr = &complaints
	require.NoError(t, process.Start())
	t.Cleanup(func() {
		in.Close()
		if err := process.Wait(); err != nil {
			t.Errorf("onnxruntime-web: %v: %s", err, complaints.String())
		}
	})
	r := &onnxruntime{in: in, out: bufio.NewScanner(out)}
	r.out.Buffer(nil, 1<<26)
	var facts struct {
		Inputs, Outputs []string
		Version         string
	}
	r.reply(t, &facts)
	if !reflect.DeepEqual(facts.Inputs, []string{onnx.Input}) || !reflect.DeepEqual(facts.Outputs, []string{onnx.Output}) {
		t.Errorf("inputs %v, outputs %v", facts.Inputs, facts.Outputs)
	}
	t.Logf("onnxruntime-web %s", facts.Version)
	return r
}

// run passes a batch through the model.
func (r *onnxruntime) run(t *testing.T, x *tensor.Tensor) *tensor.Tensor {
	t.Helper()
	raw := require.Value(binary.Append(nil, binary.LittleEndian, x.Data))(t)
	request := require.Value(json.Marshal(array{x.Shape, base64.StdEncoding.EncodeToString(raw)}))(t)
	require.Value(fmt.Fprintf(r.in, "%s\n", request))(t)
	var y array
	r.reply(t, &y)
	raw = require.Value(base64.StdEncoding.DecodeString(y.Data))(t)
	out := tensor.New(y.Dims...)
	if _, err := binary.Decode(raw, binary.LittleEndian, out.Data); err != nil || len(raw) != 4*len(out.Data) {
		t.Fatalf("%d bytes for %v: %v", len(raw), y.Dims, err)
	}
	return out
}

// reply reads the next line of JSON.
func (r *onnxruntime) reply(t *testing.T, to any) {
	t.Helper()
	if !r.out.Scan() {
		t.Fatalf("onnxruntime-web does not answer: %v", r.out.Err())
	}
	require.NoError(t, json.Unmarshal(r.out.Bytes(), to))
}

// channelsFirst turns [N, H, W, C] into [N, C, H, W].
func channelsFirst(t *tensor.Tensor) *tensor.Tensor { return permute(t, 3, 1, 2) }

// channelsLast turns [N, C, H, W] into [N, H, W, C].
func channelsLast(t *tensor.Tensor) *tensor.Tensor { return permute(t, 2, 3, 1) }

// permute reorders the last three of four axes.
func permute(t *tensor.Tensor, a, b, c int) *tensor.Tensor {
	strides := []int{t.Shape[1] * t.Shape[2] * t.Shape[3], t.Shape[2] * t.Shape[3], t.Shape[3], 1}
	out := tensor.New(t.Shape[0], t.Shape[a], t.Shape[b], t.Shape[c])
	i := 0
	for n := range out.Shape[0] {
		for x := range out.Shape[1] {
			for y := range out.Shape[2] {
				for z := range out.Shape[3] {
					out.Data[i] = t.Data[n*strides[0]+x*strides[a]+y*strides[b]+z*strides[c]]
					i++
				}
			}
		}
	}
	return out
}
