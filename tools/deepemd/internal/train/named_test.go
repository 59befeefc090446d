package train

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
	"github.com/deepemd/deepemd/trainer/training"
)

// TestNamedNetworks: --init and --teacher take the names of networks in the program, as --weights does.
func TestNamedNetworks(t *testing.T) {
	dir, out := cmdtest.Pictures(t, 2), filepath.Join(t.TempDir(), "run")
	told := require.Value(cmdtest.Run("train", "pretrain", "--data", dir, "--out", out, "--init", "resnet12-xs", "--teacher", "resnet12-s,resnet12-photo",
		"--set", "stages=[{epochs=1,size=16,batch=4}]"))(t)
	if want := "the teacher resnet12-s with resnet12-photo"; !strings.Contains(told, want) {
		t.Errorf("want %q in:\n%s", want, told)
	}
	made := cmdtest.Decode(t, filepath.Join(out, training.LastFile))
	if widths := []int{32, 64, 112, 208}; !slices.Equal(made.Meta.Widths, widths) {
		t.Errorf("the network has widths %v, want resnet12-xs's %v", made.Meta.Widths, widths)
	}
	if !slices.Contains(made.Meta.Classes, cmdtest.ClassNames[0]) || len(made.Meta.Classes) <= len(cmdtest.ClassNames) {
		t.Errorf("the network names %d classes, want resnet12-xs's and the new ones", len(made.Meta.Classes))
	}
	require.Value(cmdtest.Run("train", "pretrain", "--resume", "--out", out))(t)
}
