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
		{Name: FCN, What: "the positions of the network's map, and of coarser ones"},
		{Name: Grid, What: "crops in grids, a pass through the network each"},
		{Name: Sampling, What: "random crops, a pass through the network each"},
	}
	classifiers = []Name{
		{Name: Mixture, What: "DeepEMD with the mean of a class's examples, and a linear classifier of whole maps, learned on the examples"},
		{Name: Prototype, What: "DeepEMD with the mean of a class's examples, node by node"},
		{Name: SFC, What: "DeepEMD with sets of nodes learned from the examples: the structured fully connected layer",
			setting: setting{what: "a learning rate above zero", example: number(SFCRate)}},
		{Name: Nearest, What: "DeepEMD with the best of a class's examples (EMD+NN)"},
		{Name: Fusion, What: "DeepEMD, the mean of the scores of a class's examples (EMD+Fusion)"},
		{Name: Merge, What: "DeepEMD with all nodes of a class's examples in one set (EMD+Merge)"},
		{Name: Cosine, What: "prototypes of mean features, by cosine"},
		{Name: "euclidean", What: "prototypes of mean features, by distance"},
		{Name: "matching", What: "matching network: attention to the examples' mean features"},
		{Name: "cosine-head", What: "cosine classifier of mean features, learned on the examples"},
		{Name: "ridge-head", What: "linear classifier of whole maps, learned on the examples in closed form"},
		{Name: "linear-head", What: "linear classifier of mean features, learned on the examples"},
		{Name: "dn4", What: "each node's 3 nearest among a class's nodes"},
		{Name: "prediction-fusion", What: "each node classified on its own (dense classification)"},
	}
	weightings = []Name{
		{Name: CrossReference, What: "regions that both images share weigh more"},
		{Name: Equal, What: "all nodes weigh the same"},
		{Name: KMeans, What: "K clusters of nodes, weighted by size",
			setting: setting{what: "a number of clusters", example: "5", whole: true, required: true}},
		{Name: MeanShift, What: "clusters of nodes within a bandwidth, weighted by size; without one it is estimated",
			setting: setting{what: "a bandwidth above zero", example: "2.5"}},
	}
	solvers = []Name{
		{Name: Simplex, What: "the optimal flow, exactly"},
		{Name: Sinkhorn, What: "the flow with an entropy term of a given strength",
			setting: setting{what: "a strength above zero", example: "0.02"}},
		{Name: Interior, What: "the flow with a quadratic term of a given strength",
			setting: setting{what: "a strength above zero", example: "1e-4"}},
		{Name: Dense, What: "every node connected with every other, no transport"},
	}
)
