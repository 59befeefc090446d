//go:build !js

package embed_test

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// The React example, built by Vite from its package.json, learns two things from held buttons and
// recognizes them.
func TestReactExample(t *testing.T) {
	need(t)
	const example = "../../../examples/react"
	dir := must[string](t)(os.MkdirTemp(must[string](t)(tools()), "test-react-example-"))
	t.Cleanup(func() { os.RemoveAll(dir) })
	require.NoError(t, copyOver(dir, example))
	installLocked(t, dir)
	require.Value(npm(dir, "run", "build"))(t)
	server := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(dir, "dist"))))
	t.Cleanup(server.Close)

	things := []struct {
		demo, label string
		band        color.RGBA
	}{{"apple", "cup", color.RGBA{255, 0, 0, 255}}, {"cat", "pen", color.RGBA{0, 0, 255, 255}}} // in the page's names
	var film []studiotest.Segment
	for _, thing := range things {
		film = append(film, studiotest.Segment{Band: thing.band, Pictures: demoFilm(t, thing.demo)})
	}
	s := studiotest.OpenPage(t, server.URL, browsertest.Options{Camera: studiotest.Film(t, film)})
	for i, thing := range things {
		button := fmt.Sprintf("li:nth-child(%d) button", i+1)
		s.WaitFor(fmt.Sprintf(`document.querySelector(%q)?.disabled === false`, button))
		s.WaitFor("!" + band(thing.band))
		s.WaitFor(band(thing.band))
		event := func(typ string) {
			s.Eval(fmt.Sprintf(`document.querySelector(%q).dispatchEvent(new PointerEvent(%q, { bubbles: true }))`, button, typ))
		}
		event("pointerdown")
		s.WaitFor(fmt.Sprintf(`Number(document.querySelector("%s small").textContent) >= 3`, button))
		event("pointerup")
	}
	for _, thing := range append(things, things...) {
		s.WaitFor(fmt.Sprintf(`%s && document.querySelector(".seen").textContent === %q`, band(thing.band), thing.label))
	}
	portraits(s, "react")
	s.NoProblems()
}

// installLocked installs packages into a project with pinned versions: the tools' versions, in a
// folder above it.
func installLocked(t *testing.T, dir string) {
	t.Helper()
	type versions map[string]string
	var wanted map[string]any
	var named, locked struct{ Dependencies, DevDependencies versions }
	path := filepath.Join(dir, "package.json")
	data := must[[]byte](t)(os.ReadFile(path))
	for _, into := range []any{&wanted, &named} {
		require.NoError(t, json.Unmarshal(data, into))
	}
	require.NoError(t, json.Unmarshal(must[[]byte](t)(os.ReadFile(filepath.Join(root, "tools", "packages", "package.json"))), &locked))
	for _, group := range []versions{named.Dependencies, named.DevDependencies} {
		for name, version := range group {
			if name != "deepemd" && locked.Dependencies[name] != version {
				t.Errorf("the example names %s %s, the tests have %q", name, version, locked.Dependencies[name])
			}
		}
	}
	delete(wanted, "dependencies")
	delete(wanted, "devDependencies")
	require.NoError(t, os.WriteFile(path, must[[]byte](t)(json.Marshal(wanted)), 0o644))
	require.Value(npm(dir, append([]string{"install", "--offline"}, must[[]string](t)(tarballs())...)...))(t)
}

// demoFilm returns the demo's images of a thing three times, for two seconds of film.
func demoFilm(t *testing.T, thing string) (pictures []image.Image) {
	t.Helper()
	for i := range 15 {
		f := must[*os.File](t)(os.Open(fmt.Sprintf("../../../static/web/demo/%s-%d.jpg", thing, i%5+1)))
		picture, err := jpeg.Decode(f)
		f.Close()
		require.NoError(t, err)
		pictures = append(pictures, picture)
	}
	return pictures
}

// band returns the condition that the camera shows the segment with a band.
func band(c color.RGBA) string {
	return fmt.Sprintf(`(() => {
		const video = document.querySelector("video"), canvas = new OffscreenCanvas(8, 8), context = canvas.getContext("2d");
		if (!video?.videoWidth) return false;
		context.drawImage(video, 0, 0, 20, 20, 0, 0, 8, 8);
		const [r, g, b] = context.getImageData(4, 4, 1, 1).data;
		return Math.abs(r - %d) + Math.abs(g - %d) + Math.abs(b - %d) < 150;
	})()`, c.R, c.G, c.B)
}
