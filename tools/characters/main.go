// Command characters makes the drawn characters that come with the studio of the data set
// Omniglot: the picture of all drawings, and a figure of a few for the teacher's notes. The
// same data set gives the same files.
//
//	go run ./tools/characters ../shared/datasets/omniglot.zip
//
// The archive has a folder <alphabet>-character<nn> for each character, with a drawing
// <number>_<person>.png of each person.
package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"

	"github.com/deepemd/deepemd/web/lessons"
)

// Where the pictures lie in the repository.
const (
	picture = "web/static/web/characters/characters.png"
	figure  = "web/lessons/characters.png"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "characters:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("name the archive of the data set: go run ./tools/characters omniglot.zip")
	}
	archive, err := zip.OpenReader(args[0])
	if err != nil {
		return err
	}
	defer archive.Close()
	all, err := sheet(archive)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	first := len(lessons.Alphabets[0].Labels)
	for name, drawings := range map[string]image.Image{
		picture: all,
		figure:  all.SubImage(image.Rect(0, 0, lessons.Drawings*lessons.Side, first*lessons.Side)),
	} {
		data, err := encode(drawings)
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
		fmt.Printf("%s: %d bytes\n", name, len(data))
	}
	return nil
}

// encode writes a picture of two colours as PNG, a bit for each pixel.
func encode(picture image.Image) ([]byte, error) {
	var file bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&file, picture)
	return file.Bytes(), err
}

// sheet draws all alphabets: a row for each character, a column for each person.
func sheet(dataSet fs.FS) (*image.Paletted, error) {
	rows := 0
	for _, a := range lessons.Alphabets {
		rows += len(a.Labels)
	}
	out := image.NewPaletted(image.Rect(0, 0, lessons.Drawings*lessons.Side, rows*lessons.Side), color.Palette{color.White, color.Black})
	row := 0
	for _, a := range lessons.Alphabets {
		for n := range a.Labels {
			folder := fmt.Sprintf("%s-character%02d", a.Name, n+1)
			for column := range lessons.Drawings {
				drawing, err := read(dataSet, folder, person(column))
				if err != nil {
					return nil, err
				}
				put(out, drawing, column*lessons.Side, row*lessons.Side)
			}
			row++
		}
	}
	return out, nil
}

// people is how many people drew each character of the data set.
const people = 20

// person is the number of whoever drew a column: the first people's drawings are examples,
// the last people's are to be tried.
func person(column int) int {
	if column < lessons.Examples {
		return column + 1
	}
	return people - lessons.Drawings + column + 1
}

// read returns a person's drawing of a character.
func read(dataSet fs.FS, folder string, person int) (image.Image, error) {
	pattern := fmt.Sprintf("%s/*_%02d.png", folder, person)
	names, err := fs.Glob(dataSet, pattern)
	if err != nil {
		return nil, err
	}
	if len(names) != 1 {
		return nil, fmt.Errorf("%d files %s, want one: not Omniglot, or packed otherwise", len(names), pattern)
	}
	data, err := fs.ReadFile(dataSet, names[0])
	if err != nil {
		return nil, err
	}
	drawing, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", names[0], err)
	}
	if b := drawing.Bounds(); b.Dx() != lessons.Side || b.Dy() != lessons.Side {
		return nil, fmt.Errorf("%s has %d×%d pixels, want %d×%d", names[0], b.Dx(), b.Dy(), lessons.Side, lessons.Side)
	}
	return drawing, nil
}

// put copies the ink of a drawing to a place.
func put(to *image.Paletted, drawing image.Image, x, y int) {
	const half = 1 << 15
	b := drawing.Bounds()
	for j := range b.Dy() {
		for i := range b.Dx() {
			if light, _, _, _ := drawing.At(b.Min.X+i, b.Min.Y+j).RGBA(); light < half {
				to.SetColorIndex(x+i, y+j, 1)
			}
		}
	}
}
