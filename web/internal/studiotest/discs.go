//go:build !js

package studiotest

import (
	"bytes"
	"fmt"
	"image/color"
	"os"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
)

// Discs is a project file of discs with a class of many examples, one of few and one that is disabled.
func Discs(t *testing.T, m method.Method) []byte {
	t.Helper()
	l, err := learner.OpenWith(resnet12s.Weights(), learner.Options{Method: m, Digest: archive.Digest(resnet12s.Weights())})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		label  string
		colour color.RGBA
		shots  int
	}{{"red disc", Red, 4}, {"blue disc", Blue, 2}, {"green disc", Green, 2}} {
		if err := l.AddClass(c.label, c.label); err != nil {
			t.Fatal(err)
		}
		for i := range c.shots {
			shade := c.colour
			shade.R, shade.G, shade.B = shade.R+byte(3*i), shade.G+byte(2*i), shade.B+byte(4*i)
			data, err := os.ReadFile(PictureFile(t, "disc.jpg", shade))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := l.AddExample(c.label, fmt.Sprint(c.label, i), learner.Picture{Data: data}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := l.EnableClass("green disc", false); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := archive.Save(&file, l, project.Manifest{Name: "Discs"}); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}
