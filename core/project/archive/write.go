package archive

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/project"
)

// Contents provides the pictures and embeddings of examples to Write. The index counts all examples
// in the order of classes.
type Contents struct {
	Picture func(i int) (*imaging.Image, error)
	// Bare reports that an example of features has no picture; nil means that all have one.
	Bare func(i int) bool
	// Embedding returns an embedding, [project.Network.Nodes, project.Network.Channels]; nil writes
	// a file without embeddings.
	Embedding func(i int) ([]float32, error)
}

// Write writes a project file. It sets the format, version, entry names and RequiresNothing in m.
// Entries are stored without compression: pictures are PNG, and embeddings do not compress.
//
// # Errors
//
// The same as project.Manifest.Validate, before anything is written, and features without
// embeddings; embeddings of another size than the network's, or that are not finite; errors of
// contents and w.
func Write(w io.Writer, m *project.Manifest, contents Contents) error {
	m.Stamp()
	at := 0
	for c := range m.Classes {
		if m.Classes[c].Examples == nil {
			m.Classes[c].Examples = []project.Example{} // other programs do not expect null
		}
		for e := range m.Classes[c].Examples {
			name := fmt.Sprintf("pictures/%05d.png", at+1)
			if contents.Bare != nil && contents.Bare(at) {
				name = ""
			}
			m.Classes[c].Examples[e].Picture = name
			at++
		}
	}
	if m.Classes == nil {
		m.Classes = []project.Class{}
	}
	if err := m.Validate(); err != nil {
		return err
	}
	if contents.Embedding != nil && m.Network == nil {
		return errors.New("embeddings without a network: set Manifest.Network")
	}
	if m.Kind == project.KindFeatures && contents.Embedding == nil && at > 0 {
		return errors.New("features without embeddings, which cannot be computed again: set Contents.Embedding")
	}
	if m.Kind != project.KindFeatures && contents.Bare != nil {
		return fmt.Errorf("examples of kind %q without pictures: only features may have none", m.Kind)
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if !utf8.Valid(text) {
		return errors.New("the manifest is not UTF-8: store valid JSON in Extensions")
	}
	if len(text) > maxManifest {
		return fmt.Errorf("the manifest has %d bytes: want at most %d; store less in Extensions", len(text), maxManifest)
	}
	archive := zip.NewWriter(w)
	if err := add(archive, manifestEntry, text); err != nil {
		return err
	}
	at = 0
	left := freePixels // that Read still accepts
	for _, c := range m.Classes {
		for _, e := range c.Examples {
			if e.Picture != "" {
				if err := addPicture(archive, e, contents, at, &left); err != nil {
					return fmt.Errorf("example %s: %w", e.ID, err)
				}
			}
			at++
		}
	}
	if contents.Embedding != nil && at > 0 {
		if err := writeEmbeddings(archive, at, m.Network, contents.Embedding); err != nil {
			return err
		}
	}
	return archive.Close()
}

// addPicture writes the picture of the i-th example, and updates the number of pixels that Read
// still accepts. It does not compress a picture that would exceed them.
func addPicture(archive *zip.Writer, e project.Example, contents Contents, i int, left *int) error {
	picture, err := contents.Picture(i)
	if err != nil {
		return err
	}
	if picture.Width > project.MaxSide || picture.Height > project.MaxSide {
		return fmt.Errorf("a picture of %d×%d pixels: want sides of at most %d", picture.Width, picture.Height, project.MaxSide)
	}
	canvas := image.NewRGBA(image.Rect(0, 0, picture.Width, picture.Height))
	for i := range picture.Width * picture.Height {
		copy(canvas.Pix[4*i:], picture.Pix[3*i:][:3])
		canvas.Pix[4*i+3] = 255
	}
	var file bytes.Buffer
	if err := png.Encode(&file, canvas); err != nil { // opaque, so png writes RGB
		return err
	}
	area := picture.Width * picture.Height
	if *left+pixelsPerByte*file.Len() < area {
		file.Reset()
		if err := (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&file, canvas); err != nil {
			return err
		}
	}
	*left += pixelsPerByte*file.Len() - area
	return add(archive, e.Picture, file.Bytes())
}

func add(archive *zip.Writer, name string, data []byte) error {
	entry, err := create(archive, name)
	if err != nil {
		return err
	}
	_, err = entry.Write(data)
	return err
}

// create begins an uncompressed entry.
func create(archive *zip.Writer, name string) (io.Writer, error) {
	return archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
}

// writeEmbeddings writes a safetensors file of one tensor.
func writeEmbeddings(archive *zip.Writer, n int, network *project.Network, embedding func(int) ([]float32, error)) error {
	entry, err := create(archive, embeddingsEntry)
	if err != nil {
		return err
	}
	size := network.Nodes * network.Channels
	header := fmt.Sprintf(`{%q:{"dtype":"F32","shape":[%d,%d,%d],"data_offsets":[0,%d]}}`,
		embeddingsName, n, network.Nodes, network.Channels, int64(n)*int64(size)*4)
	header += strings.Repeat(" ", (8-len(header)%8)%8)
	if err := binary.Write(entry, binary.LittleEndian, uint64(len(header))); err != nil {
		return err
	}
	if _, err := io.WriteString(entry, header); err != nil {
		return err
	}
	for i := range n {
		values, err := embedding(i)
		if err != nil {
			return err
		}
		if len(values) != size {
			return fmt.Errorf("embedding %d has %d values, want %d×%d", i, len(values), network.Nodes, network.Channels)
		}
		if slices.ContainsFunc(values, func(v float32) bool { return v-v != 0 }) {
			return fmt.Errorf("embedding %d has values that are not finite: embed its picture again", i)
		}
		if err := binary.Write(entry, binary.LittleEndian, values); err != nil {
			return err
		}
	}
	return nil
}
