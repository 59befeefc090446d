package method

import "slices"

// Kinds of embedders.
const (
	FCN      = "fcn"
	Grid     = "grid"
	Sampling = "sampling"
)

// Classifiers that other packages name.
const (
	Prototype = "prototype"
	SFC       = "sfc"
	Nearest   = "nearest"
	Fusion    = "fusion"
	Merge     = "merge"
	Cosine    = "cosine"
	Mixture   = "mixture"
)

// Node weights and solvers.
const (
	CrossReference = "cross-reference"
	Equal          = "equal"
	KMeans         = "k-means"
	MeanShift      = "mean-shift"

	Simplex  = "simplex"
	Sinkhorn = "sinkhorn"
	Interior = "interior"
	Dense    = "dense"
)

// Name is one value of a setting, such as a classifier.
type Name struct {
	Name string // the name in files, flags and pages
	What string // one line of explanation

	setting setting
}

// setting describes the number that may follow a name and a colon.
type setting struct {
	what     string // the description in errors; "" if the name has no number
	example  string
	whole    bool // a whole number
	required bool
}

// Embedders returns the kinds of embedders, the default first.
func Embedders() []Name { return slices.Clone(embedders) }

// Classifiers returns the classifiers, the default first.
func Classifiers() []Name { return slices.Clone(classifiers) }

// Weightings returns the node weights, the default first.
func Weightings() []Name { return slices.Clone(weightings) }

// Solvers returns the solvers of the transport problem, the default first.
func Solvers() []Name { return slices.Clone(solvers) }

var (
	embedders = []Name{
		{Name: FCN, What: "one node per position of the network's map, and of coarser maps"},
		{Name: Grid, What: "one node per cell of a grid, each a pass through the network"},
		{Name: Sampling, What: "one node per random crop, each a pass through the network"},
	}
	classifiers = []Name{
		{Name: Mixture, What: "DeepEMD with the mean of a class's examples, and two linear classifiers of maps, fitted to the examples"},
		{Name: Prototype, What: "DeepEMD with the mean of a class's examples, node by node"},
		{Name: SFC, What: "DeepEMD with a structured fully connected layer: sets of nodes trained on the examples",
			setting: setting{what: "a learning rate above zero", example: number(SFCRate)}},
		{Name: Nearest, What: "DeepEMD with the most similar example of a class (EMD+NN)"},
		{Name: Fusion, What: "mean DeepEMD score of a class's examples (EMD+Fusion)"},
		{Name: Merge, What: "DeepEMD with all nodes of a class's examples in one set (EMD+Merge)"},
		{Name: Cosine, What: "cosine similarity to a class's mean features"},
		{Name: "euclidean", What: "Euclidean distance to a class's mean features"},
		{Name: "matching", What: "matching network: attention over the examples' mean features"},
		{Name: "cosine-head", What: "cosine classifier of mean features, trained on the examples"},
		{Name: "ridge-head", What: "linear classifier of maps, fitted to the examples in closed form"},
		{Name: "linear-head", What: "linear classifier of mean features, trained on the examples"},
		{Name: "dn4", What: "similarity of each node to its 3 nearest nodes of a class"},
		{Name: "prediction-fusion", What: "each node classified separately (dense classification)"},
	}
	weightings = []Name{
		{Name: CrossReference, What: "more weight for regions that both images share"},
		{Name: Equal, What: "equal weights"},
		{Name: KMeans, What: "K clusters of nodes, weighted by size",
			setting: setting{what: "a number of clusters", example: "5", whole: true, required: true}},
		{Name: MeanShift, What: "clusters of nodes within a bandwidth (default: estimated), weighted by size",
			setting: setting{what: "a bandwidth above zero", example: "2.5"}},
	}
	solvers = []Name{
		{Name: Simplex, What: "the exact optimal flow"},
		{Name: Sinkhorn, What: "the optimal flow with an entropy term of a given strength",
			setting: setting{what: "a strength above zero", example: "0.02"}},
		{Name: Interior, What: "the optimal flow with a quadratic term of a given strength",
			setting: setting{what: "a strength above zero", example: "1e-4"}},
		{Name: Dense, What: "every node connected with every other, without transport"},
	}
)
