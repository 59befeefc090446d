package learner

import (
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
)

// Picture is an image, or a sound, on its way to the learner. With Width 0, Data
// is an encoded file: JPEG, PNG or WebP, or a recording for a learner of sounds.
// Otherwise Data holds rows of RGB or RGBA pixels; their number tells which. With Rate,
// Samples hold a sound. With Embedding its local embeddings are known, and no network
// looks at it: to be classified it needs no other field then. With Features it is the
// image of Inputs, and the other fields do not count.
type Picture struct {
	Data          []byte
	Width, Height int
	Samples       []float32 // of a sound, if Rate is not 0; full scale is ±1
	Rate          int       // samples a second
	Embedding     []float32 // [Info.Nodes, Info.Channels], node after node; the learner copies it
	Inputs        *Inputs
	Features      []float32 // of the crops of Inputs, [Inputs.N, Channels]
}

// Seen is the learner's view of an image. It does not change; do not modify it.
type Seen struct {
	// View is the network's input, or the square that crops are cut from; nil for
	// features without an image.
	View *imaging.Image
	// Original is the square from which other embedders would cut crops, at most four
	// times as wide as the network's input; nil if it is no larger than View. It
	// allows images to be embedded again in other ways.
	Original *imaging.Image
	// Second is the embedded second of a sound, at 16 kHz; nil for an image.
	Second []float32
	// Embedding holds the local embeddings.
	Embedding *embed.Set
}

// Info describes the network of a learner.
type Info struct {
	Name      string     // of the network, or of the features that the caller computes
	Version   string     // of the project
	Kernels   string     // the compute kernels in use
	InputSize int        // side in pixels of the network's input; of a learner of features, of the images that it keeps
	Widths    []int      // channels of the four blocks; none of a learner of features
	Nodes     int        // local embeddings of an image
	Channels  int        // length of each
	Mean, Std [3]float32 // of the pixels' colours, by which they are normalised
	Inputs    int        // passes through the network that an image takes
}

// Hearing turns a learner into one of sounds. It takes the recording in a file
// (MP3, WAV) when p.Rate is 0, otherwise samples, and returns the image of the
// spectrogram and its second of sound, at 16 kHz. Rows of pixels are spectrograms
// and do not pass it. (It is an option so that other programs need not link the code that
// decodes recordings: see sound.ForLearner.)
//
// Errors are *Error: CodeSilent for a silent recording, CodeBadSound for a broken one
// or another file.
type Hearing func(p Picture) (picture *imaging.Image, second []float32, err error)

// Inputs are the crops of an image. Several learners of one network can share the work on
// it: Learner.Inputs lists the crops, any learner encodes some of them, and a Picture with
// the Features of all crops stands for the image.
type Inputs struct {
	N      int    // Info.Inputs
	Size   int    // side of each
	Pixels []byte // [N, Size, Size, 3], RGB

	sight *sight
}

// Inputs reads an image and returns its crops.
//
// # Errors
//
// CodeBadImage; CodeInternal if an image is one input of the network, whose features are
// more than one vector.
func (l *Learner) Inputs(p Picture) (*Inputs, error) {
	n := l.Model().net
	n.Lock()
	defer n.Unlock()
	if _, whole := n.embedder.(embed.FCN); whole || n.encoder == nil {
		return nil, fail(CodeInternal, "there are no crops to be encoded elsewhere, as there are with the embedders grid and sampling")
	}
	s, err := n.cut(p)
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

// Encode computes the features of crops, [n, InputSize, InputSize, 3] of RGB: the
// means of their feature maps, [n, Channels].
//
// # Errors
//
// CodeInternal for another number of bytes, and without a network.
func (l *Learner) Encode(crops []byte) ([]float32, error) {
	n := l.Model().net
	if n.encoder == nil {
		return nil, n.blind()
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

// Embed returns the local embeddings of an image, with the regions that they come
// from. The image is neither kept nor classified.
//
// # Errors
//
// CodeBadImage, and CodeBadArgument for an embedding that cannot be used.
func (l *Learner) Embed(p Picture) (*embed.Set, error) {
	m := l.Model()
	m.net.Lock()
	defer m.net.Unlock()
	s, err := m.see(p)
	if err != nil {
		return nil, err
	}
	return s.set, nil
}
