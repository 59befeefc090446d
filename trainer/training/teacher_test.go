package training

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/mediatest"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/data"
)

func TestLikenessLeavesThePictureOut(t *testing.T) {
	features := [][]float64{{1, 0}, {0, 1}, {0, 1}, {-1, 0}}
	rows := similarities(features, []int{0, 0, 1, 1}, 2)
	// Without the first image its class is the second alone.
	if !(math.Abs(rows[0][0])+math.Abs(rows[0][1]+math.Sqrt(0.5)) <= 1e-12) {
		t.Errorf("similarities %v, want 0 and %v", rows[0], -math.Sqrt(0.5))
	}
	// A class of one image leaves nothing to be like.
	if alone := similarities(features[:3], []int{0, 0, 1}, 2); alone[2][1] != 0 {
		t.Errorf("a picture is %v like the class that it is alone in, want 0", alone[2][1])
	}
}

// Where the same scores are right four times of five, they come to mean 80%.
func TestLikeliest(t *testing.T) {
	logits, labels := make([][]float64, 100), make([]int, 100)
	for i := range logits {
		logits[i] = []float64{0.3, -0.2}
		if i%5 == 0 {
			labels[i] = 1
		}
	}
	p := probabilities(logits[0], likeliestScale(logits, labels))
	if !(math.Abs(float64(p[0])-0.8) <= 1e-3) || !(math.Abs(float64(p[0]+p[1])-1) <= 1e-6) {
		t.Errorf("probabilities %v, want 0.8 and 0.2", p)
	}
}

// A resumed run finds the features of its teacher. Another teacher, and images with other names,
// files or another scaling, have their own file.
func TestKeptFeatures(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	teacher := func(seed uint64) *weights.File { return networktest.ResNet12([]int{4, 4, 4, 4}, 16, seed) }
	images := mediatest.Folder(t, 1, 3)
	set := require.Value(data.OpenSplit(images, ""))(t)
	defer set.Close()
	a, b, c := "class0/0.png", "class0/1.png", "class0/2.png"
	scaled := func(side int, seed uint64, names ...string) featureFile {
		return keptFeatures(dir, require.Value((&Pictures{MaxSide: side}).teaching(teacher(seed), set, names))(t))
	}
	name := func(seed uint64, names ...string) featureFile { return scaled(0, seed, names...) }
	k := name(1, a, b)
	if _, err := k.read(2); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("before anything is kept: %v", err)
	}
	want := [][]float64{{0.1, -1, 0}, {0.5, 2, 8}}
	require.NoError(t, k.write(want))
	if got, err := name(1, a, b).read(2); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if _, err := k.read(3); err == nil || !strings.Contains(err.Error(), "want 3 rows") {
		t.Errorf("of more pictures than were kept: %v", err)
	}
	for _, other := range []featureFile{name(2, a, b), name(1, a, c), name(1, b, a), scaled(64, 1, a, b)} {
		if other == k {
			t.Errorf("%s is of another teacher or other pictures", other)
		}
	}
	damage(t, images, b)
	if name(1, a, b) == k {
		t.Error("an image with a changed file has the same features")
	}
	require.NoError(t, os.WriteFile(string(k), []byte("damaged"), 0o600))
	if _, err := k.read(2); err == nil || !strings.Contains(err.Error(), "delete it") {
		t.Errorf("of a damaged file: %v", err)
	}
	if err := keptFeatures("", "1").write(want); err != nil {
		t.Errorf("without a folder: %v", err)
	}
}
