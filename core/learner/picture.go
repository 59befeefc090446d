package learner

import (
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
)

// Picture is an input of a learner: an image, a sound or features. If Width is 0, Data is an
// encoded file: an image in a format of [imaging.Decode], or a recording for a learner of sounds.
// Otherwise Data contains rows of RGB or RGBA pixels without padding, depending on its length. RGBA
// colors are not multiplied by alpha, as in image.NRGBA; transparent parts become white. If Rate is set,
// Samples contain a sound. If Embedding is set, the network is not used, and classification needs
// no other field. If Features is set, the Picture is the image of Inputs, and the other fields are
// ignored.
type Picture struct {
	Data          []byte
	Width, Height int
	Seen          bool      // the image is a Seen.View: one of the network's size is not resized and cropped again
	Samples       []float32 // of a sound, if Rate is not 0; full scale is ±1
	Rate          int       // samples per second
	Embedding     []float32 // [Info.Nodes, Info.Channels]; the learner copies it
	Inputs        *Inputs
	Features      []float32 // features of the crops of Inputs, [Inputs.N, Channels]
}

// Seen is the learner's view of an image. Callers must not modify it.
type Seen struct {
	// View is the network's input, or the square that crops are cut from; nil for
	// features without an image.
	View *imaging.Image
	// Original is the square that embedders with crops use, at most four times as wide as
	// the network's input; nil if it is not larger than View. It allows embedding the image
	// again with another embedder.
	Original *imaging.Image
	// Second is the embedded second of a sound, at 16 kHz; nil for an image.
	Second []float32
	// Embedding holds the local embeddings.
	Embedding *embed.Set
}

// Info describes the network of a learner.
type Info struct {
	Name      string     // of the network or the caller's features
	Version   string     // of the project
	Kernels   string     // the compute kernels in use
	InputSize int        // side in pixels of the network's input, or of the stored images of a learner of features
	Widths    []int      // channels of the four blocks; empty in a learner of features
	Nodes     int        // local embeddings per image
	Channels  int        // length of a local embedding
	Mean, Std [3]float32 // normalization of the pixels' colors
	Inputs    int        // passes through the network per image
}

// Hearing converts a sound for a learner of sounds. It decodes the recording in p.Data (MP3,
// WAV) if p.Rate is 0, and uses p.Samples otherwise. It returns the image of the spectrogram and
// the embedded second at 16 kHz. The learner treats pixels as spectrograms, without Hearing.
// Concurrent calls of the learner call it concurrently. (Hearing is an option, so that other programs
// do not link the decoders; see sound.ForLearner.)
//
// Errors are *Error: CodeSilent for a silent recording, CodeBadSound for a damaged one or
// another file.
type Hearing func(p Picture) (picture *imaging.Image, second []float32, err error)

// Inputs contains the crops of an image. Several learners with the same network can share the
// work: Learner.Inputs returns the crops, each learner encodes some of them, and a Picture with
// the Features of all crops represents the image.
type Inputs struct {
	N      int    // Info.Inputs
	Size   int    // side of a crop, in pixels
	Pixels []byte // [N, Size, Size, 3], RGB

	sight *preparedImage
}

// Inputs reads an image and returns its crops.
//
// # Errors
//
// CodeBadImage, CodeBadSound, CodeSilent; CodeInternal if the embedder does not use crops.
func (l *Learner) Inputs(p Picture) (*Inputs, error) {
	n := l.Model().net
	in := n.open(p)
	n.Lock()
	defer n.Unlock()
	if _, whole := n.embedder.(embed.FCN); whole || n.encoder == nil {
		return nil, fail(CodeInternal, "this embedder has no crops to encode elsewhere: use the embedder grid or sampling")
	}
	s, err := n.crops(in)
	if err != nil {
		return nil, err
	}
	s.image = nil
	inputs := &Inputs{N: len(s.crops), Size: n.info.InputSize, sight: s}
	for _, crop := range s.crops {
		inputs.Pixels = append(inputs.Pixels, crop.Picture.Pix...)
	}
	return inputs, nil
}

// Encode returns the features of RGB crops, [n, InputSize, InputSize, 3]: the means of their
// feature maps, [n, Channels].
//
// # Errors
//
// CodeInternal for another number of bytes; CodeBadArgument without a network.
func (l *Learner) Encode(crops []byte) ([]float32, error) {
	n := l.Model().net
	if n.encoder == nil {
		return nil, n.errNoNetwork()
	}
	side := n.info.InputSize
	size := side * side * 3
	if len(crops) == 0 || len(crops)%size != 0 {
		return nil, fail(CodeInternal, "%d bytes of crops: want a multiple of %d (%d×%d, RGB)", len(crops), size, side, side)
	}
	var pictures []*imaging.Image
	for at := 0; at < len(crops); at += size {
		pictures = append(pictures, &imaging.Image{Width: side, Height: side, Pix: crops[at:][:size]})
	}
	n.Lock()
	defer n.Unlock()
	features, err := embed.Pool(n.encoder, n.preprocess, pictures...)
	if err != nil {
		return nil, err
	}
	return features.Data, nil
}

// Embed returns the local embeddings of an image with their regions. It neither stores nor
// classifies the image.
//
// # Errors
//
// CodeBadImage, CodeBadSound, CodeSilent; CodeBadArgument for an invalid embedding.
func (l *Learner) Embed(p Picture) (*embed.Set, error) {
	m := l.Model()
	in := m.net.open(p)
	m.net.Lock()
	defer m.net.Unlock()
	s, err := m.see(in)
	if err != nil {
		return nil, err
	}
	return s.set, nil
}
