package learner

// Picture is a picture, or a sound, on its way to the learner. With Width 0, Data
// is an encoded file: JPEG, PNG or WebP, or a recording for a learner that hears.
// Else Data holds rows of RGB or RGBA pixels; their number tells which. With Rate,
// Samples hold a sound. With Embedding its local embeddings are known, and no network
// looks at it: to be classified it needs no other field then. With Features it is the
// picture of the last call of Inputs, and the other fields do not count.
type Picture struct {
	Data          []byte
	Width, Height int
	Samples       []float32 // of a sound, where Rate is not 0; full scale is ±1
	Rate          int       // samples a second
	Embedding     []float32 // [Info.Nodes, Info.Channels], node after node; the learner copies it
	Features      []float32 // of its crops in their order, [Info.Inputs, Channels]
}

// Inputs are the crops of a picture.
type Inputs struct {
	N      int    // Info.Inputs
	Size   int    // side of each
	Pixels []byte // [N, Size, Size, 3], RGB
}

// Info says what a learner runs.
type Info struct {
	Name      string     // of the network, or of the features that the caller computes
	Version   string     // of the project
	Kernels   string     // which kernels compute
	InputSize int        // side in pixels of the network's input; of a learner of features, of the pictures that it keeps
	Widths    []int      // channels of the four blocks; none of a learner of features
	Nodes     int        // local embeddings of a picture
	Channels  int        // length of each
	Mean, Std [3]float32 // of the pixels' colours, by which they are normalised
	Inputs    int        // passes through the network that a picture takes
}
