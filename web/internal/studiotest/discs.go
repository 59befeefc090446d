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
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/internal/require"
)

// Discs returns a project file of discs: a class with many examples, a class with few and a
// disabled class.
func Discs(t *testing.T, m method.Method) []byte {
	t.Helper()
	return DiscsOf(t, m, network.ResNet12PhotoWeights())
}

// DiscsOf is Discs with a network.
func DiscsOf(t *testing.T, m method.Method, weights []byte) []byte {
	t.Helper()
	l := require.Value(learner.OpenWith(weights, learner.Options{Method: m, Digest: archive.Digest(weights)}))(t)
	for _, c := range []struct {
		label string
		color color.RGBA
		shots int
	}{{"red disc", Red, 4}, {"blue disc", Blue, 2}, {"green disc", Green, 2}} {
		require.NoError(t, l.AddClass(c.label, c.label))
		for i := range c.shots {
			shade := c.color
			shade.R, shade.G, shade.B = shade.R+byte(3*i), shade.G+byte(2*i), shade.B+byte(4*i)
			data := require.Value(os.ReadFile(PictureFile(t, "disc.jpg", shade)))(t)
			require.Value(l.AddExample(c.label, fmt.Sprint(c.label, i), learner.Picture{Data: data}))(t)
		}
	}
	require.NoError(t, l.EnableClass("green disc", false))
	var file bytes.Buffer
	require.NoError(t, archive.Save(&file, l, project.Manifest{Name: "Discs"}))
	return file.Bytes()
}
