package data

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

func TestLimitSide(t *testing.T) {
	picture := func(width, height int) string {
		var file bytes.Buffer
		require.NoError(t, png.Encode(&file, image.NewRGBA(image.Rect(0, 0, width, height))))
		return file.String()
	}
	s := open(t, writeZip(t, map[string]string{"a/wide.png": picture(100, 50), "a/high.png": picture(31, 64), "a/small.png": picture(8, 60)}))
	s.LimitSide(20)
	for name, want := range map[string][2]int{"a/wide": {40, 20}, "a/high": {20, 41}, "a/small": {8, 60}} {
		if img, err := s.Image(name); err != nil || [2]int{img.Width, img.Height} != want {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

// damaged are two classes of which some images cannot be decoded.
func damaged(t testing.TB) map[string]string {
	return files("fox/1.png="+dot(t, 1), "fox/2.png=no image", "fox/3.png=", "fox/4.png="+dot(t, 4),
		"owl/1.png=x", "owl/2.png="+dot(t, 20), "owl/3.png=y", "cat/1.png=z")
}

func namesOf(found []*Damaged) string {
	var names []string
	for _, d := range found {
		names = append(names, d.Name)
	}
	return strings.Join(names, " ")
}

func TestDamagedPicturesAreNamed(t *testing.T) {
	path := writeFolder(t, damaged(t))
	s := open(t, path)
	_, err := s.Image("fox/2.png")
	var d *Damaged
	if !errors.As(err, &d) || d.Name != "fox/2.png" || strings.Count(err.Error(), "fox/2.png") != 1 {
		t.Errorf("a damaged picture: %v", err)
	}
	require.NoError(t, os.Remove(filepath.Join(path, "fox", "1.png")))
	if _, err = s.Image("fox/1.png"); !errors.As(err, &d) || !errors.Is(err, os.ErrNotExist) || strings.Count(err.Error(), "1.png") != 1 {
		t.Errorf("a picture that went: %v", err)
	}
}

func TestSkip(t *testing.T) {
	for _, path := range []string{writeFolder(t, damaged(t)), writeZip(t, damaged(t))} {
		for _, keep := range []bool{false, true} {
			s := open(t, path)
			if keep {
				s.KeepDecoded()
			}
			s.Skip()
			if s.AnySkipped() {
				t.Error("skipped before any was read")
			}
			for range 2 {
				for name, want := range map[string]uint8{"fox/1.png": 1, "fox/2.png": 4, "fox/3.png": 4, "fox/4.png": 4, "owl/1.png": 20, "owl/3.png": 20} {
					if img, err := s.Image(name); err != nil || img.Pix[0] != want {
						t.Errorf("%s: %v, %v, want one of gray %d", name, img, err, want)
					}
				}
			}
			// After the last comes the first: fox/4 fails, fox/1 follows.
			if any, got := s.AnySkipped(), namesOf(s.Skipped()); !any || got != "fox/2.png fox/3.png owl/1.png owl/3.png" {
				t.Errorf("skipped were %s", got)
			}
			if got := s.Skipped(); len(got) != 0 || s.AnySkipped() {
				t.Errorf("told again: %s", namesOf(got))
			}
			if _, err := s.Image("cat/1.png"); err == nil || !strings.Contains(err.Error(), "no image of class cat can be read") {
				t.Errorf("a class of damaged pictures: %v", err)
			}
		}
	}
}

// A run that is continued passes over what it did before, whatever has been mended
// since, and tells nothing twice.
func TestSkipAgain(t *testing.T) {
	s := open(t, writeZip(t, damaged(t)))
	s.Skip("fox/4.png", "fox/2.png")
	got := []uint8{}
	for _, p := range s.Pictures("fox") {
		img := require.Value(s.Image(p.Name))(t)
		got = append(got, img.Pix[0])
	}
	if !slices.Equal(got, []uint8{1, 1, 1, 1}) {
		t.Errorf("the foxes are %v", got)
	}
	if any, got := s.AnySkipped(), namesOf(s.Skipped()); !any || got != "fox/3.png" {
		t.Errorf("skipped were %s", fmt.Sprint(got))
	}
}
