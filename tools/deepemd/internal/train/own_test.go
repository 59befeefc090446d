package train

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
	"github.com/deepemd/deepemd/trainer/training"
)

// TestTrainOwn teaches networks of one's own further, by commands alone: what comes of it
// is measured, learnt further, and teaches another.
func TestTrainOwn(t *testing.T) {
	dir, folder := cmdtest.Pictures(t, 6), t.TempDir()
	save := func(name string, f *weights.File) string {
		path := filepath.Join(folder, name)
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if err := f.Encode(file, weights.F16); err != nil {
			t.Fatal(err)
		}
		return path
	}
	few := []string{"--set", "way=3", "--set", "query=2", "--set", "episodes=2", "--set", "stages=[{epochs=1,batch=9}]"}
	for name, f := range map[string]*weights.File{"vit": networktest.Transformer(), "resnet": networktest.Residual(false)} {
		before, out, again := save(name+".safetensors", f), filepath.Join(folder, name), filepath.Join(folder, name+"-again")
		args := append([]string{"train", "meta", "--recipe", "own", "--data", dir, "--init", before, "--out", out}, few...)
		if said, err := cmdtest.Run(args...); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, said)
		}
		if said, err := cmdtest.Run("eval", "--data", dir, "--weights", out, "--way", "3", "--query", "2", "--episodes", "2"); err != nil || !strings.Contains(said, "%") {
			t.Errorf("%s: %v\n%s", name, err, said)
		}
		if saved := cmdtest.ReadText(t, filepath.Join(out, settingsFile)); !strings.Contains(saved, `precision = "float32"`) || !strings.Contains(saved, `name = "made-up"`) {
			t.Errorf("%s: the saved settings say\n%s", name, saved)
		}
		if said, err := cmdtest.Run("train", "meta", "--resume", "--out", out); err != nil {
			t.Errorf("%s, resumed: %v\n%s", name, err, said)
		}
		size := map[string]string{"vit": "56", "resnet": "64"}[name]
		if said, err := cmdtest.Run("train", "pretrain", "--data", dir, "--init", out, "--out", again, "--set", "rate=1e-4",
			"--set", "stages=[{epochs=1,size="+size+",batch=6}]"); err != nil {
			t.Errorf("%s: %v\n%s", name, err, said)
		}
		if f := cmdtest.Decode(t, filepath.Join(again, training.LastFile)); f.Meta.Arch != name || len(f.Meta.Classes) == 0 {
			t.Errorf("%s: it says %+v", name, f.Meta)
		}
		if said, err := cmdtest.Run("train", "pretrain", "--data", dir, "--teacher", out, "--out", filepath.Join(folder, name+"-taught"),
			"--set", "widths=[4,4,4,4]", "--set", "stages=[{epochs=1,size=16,batch=6}]"); err != nil {
			t.Errorf("%s as a teacher: %v\n%s", name, err, said)
		}
	}

	// Others learn from a ResNet-12, too.
	for arch, change := range map[string][]string{
		"vit":    {`arch="vit"`, "widths=[32]", "depth=1", "heads=2", "patch=8", "places=4", "grid=3", `optimizer="adamw"`, "rate=1e-3"},
		"resnet": {`arch="resnet"`, "widths=[16,16,16,16]", "blocks=[1,1,1,1]"},
	} {
		out := filepath.Join(folder, "small-"+arch)
		args := []string{"train", "pretrain", "--data", dir, "--teacher", cmdtest.Weights(t, nil), "--out", out, "--set", "stages=[{epochs=1,size=32,batch=6}]"}
		for _, set := range change {
			args = append(args, "--set", set)
		}
		if said, err := cmdtest.Run(args...); err != nil || !strings.Contains(said, "the teacher") {
			t.Errorf("%s, taught by a ResNet-12: %v\n%s", arch, err, said)
		}
		if f := cmdtest.Decode(t, filepath.Join(out, training.LastFile)); f.Meta.Arch != arch {
			t.Errorf("%s: it says %+v", arch, f.Meta)
		}
	}

	mobile, transformer := save("mobile.safetensors", networktest.MobileNet()), filepath.Join(folder, "vit.safetensors")
	for want, args := range map[string][]string{
		"the architecture mobilenet, which cannot be trained here, resnet, resnet12, vit can": {"--init", mobile},
		"patches have 14, want a multiple of that, such as 84":                                {"--init", transformer, "--set", "stages=[{epochs=1,size=96,batch=9}]"},

		`use precision = "float32"`:              {"--init", transformer, "--set", `precision="bfloat16"`},
		`optimizer "adam": use sgd or adamw`:     {"--init", transformer, "--set", `optimizer="adam"`},
		"drop_block is 0.1: only a resnet12 has": {"--init", transformer, "--set", "drop_block=0.1", "--set", "stages=[{epochs=1,size=56,batch=6}]"},
		`arch "cnn": use resnet, resnet12, vit`:  {"--set", `arch="cnn"`},
		"heads is 5 of 32 channels":              {"--set", `arch="vit"`, "--set", "widths=[32]", "--set", "heads=5", "--set", "depth=1", "--set", "patch=8", "--set", "places=4"},
		"a vision transformer has one":           {"--set", `arch="vit"`, "--set", "heads=5"},
		"want 4 of both":                         {"--set", `arch="resnet"`},
	} {
		verb := "meta"
		if strings.HasPrefix(want, "drop") || args[0] == "--set" {
			verb = "pretrain"
		}
		_, err := cmdtest.Run(append([]string{"train", verb, "--data", dir, "--out", filepath.Join(folder, "wrong")}, args...)...)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "internal error") {
			t.Errorf("%v gives %v, want %q", args, err, want)
		}
	}
}
