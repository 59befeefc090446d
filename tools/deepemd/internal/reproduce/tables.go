package reproduce

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/method"
)

var (
	fiveWayOne  = Column{"5w1s", "5-way 1-shot", 5, 1}
	fiveWayFive = Column{"5w5s", "5-way 5-shot", 5, 5}
	tenWayOne   = Column{"10w1s", "10-way 1-shot", 10, 1}
)

// Rows of several tables.
var (
	deepEMD    = Row{Key: "deepemd-fcn", Label: "DeepEMD-FCN"}
	imageLevel = []Row{
		{Key: "euclidean", Label: "Prototypes, Euclidean (ProtoNet)", Classifier: "euclidean"},
		{Key: "cosine", Label: "Prototypes, cosine", Classifier: "cosine"},
		{Key: "matching", Label: "Matching network, cosine", Classifier: "matching"},
		{Key: "linear-head", Label: "Linear classifier, learned on the support", Classifier: "linear-head"},
		{Key: "cosine-head", Label: "Cosine classifier, learned on the support", Classifier: "cosine-head"},
	}
	local = []Row{
		{Key: "dn4", Label: "Nearest local descriptors (k-NN, DN4)", Classifier: "dn4"},
		{Key: "prediction-fusion", Label: "Prediction fusion (dense classification)", Classifier: "prediction-fusion"},
	}
)

// layer is the structured fully connected layer with its rate, as in the IDs of results.
var layer = method.Method{Classifier: method.SFC}.Complete().Classifier

func keys(rows ...[]Row) (names []string) {
	for _, r := range slices.Concat(rows...) {
		names = append(names, r.Key)
	}
	return names
}

// Tables returns all tables of a plan in the order of the paper.
func Tables(p Plan) []*Table {
	return []*Table{methodsTable(), weightsTable(), embeddersTable(), rotationsTable(), domainsTable(), layerTable(), benchmarkTable(), shotsFigure(p)}
}

func methodsTable() *Table {
	return &Table{
		Name:    "table1",
		Title:   "Table 1: DeepEMD-FCN compared with image-level and local methods",
		About:   "All methods use the same features. With five shots, DeepEMD-FCN uses the mean of a class's examples; Table 7 has the structured fully connected layer.",
		Columns: []Column{fiveWayOne, tenWayOne, fiveWayFive},
		Rows:    slices.Concat(imageLevel, local, []Row{deepEMD}),
		Orders:  []Order{{Better: deepEMD.Key, Worse: keys(imageLevel, local)}},
	}
}

func weightsTable() *Table {
	rows := []Row{{Key: "cross-reference", Label: "EMD, cross-reference"}, {Key: "equal", Label: "EMD, equal weights", Weighting: "equal"}}
	for _, k := range []int{25, 10, 5, 2, 1} {
		name := fmt.Sprintf("k-means:%d", k)
		rows = append(rows, Row{Key: name, Label: fmt.Sprintf("EMD of k-means clusters, K = %d", k), Weighting: name})
	}
	rows = append(rows, Row{Key: "mean-shift", Label: "EMD of mean-shift clusters, bandwidth estimated for each picture", Weighting: "mean-shift"})
	for _, bandwidth := range []string{"0.001", "2.5", "5", "7.5", "10", "12.5", "15"} {
		name := "mean-shift:" + bandwidth
		rows = append(rows, Row{Key: name, Label: "EMD of mean-shift clusters, bandwidth " + bandwidth, Weighting: name})
	}
	for _, share := range []string{"0.5", "1", "1.5"} {
		name := relativeShift + share
		rows = append(rows, Row{Key: name, Label: "EMD of mean-shift clusters, one bandwidth, " + share + " times the mean estimate", Weighting: name})
	}
	rows = append(rows,
		Row{Key: "mean-shift:+Inf", Label: "EMD of mean-shift clusters, bandwidth infinite", Weighting: "mean-shift:+Inf"},
		Row{Key: "dense-equal", Label: "Dense connections, averaged", Weighting: "equal", Solver: "dense"},
		Row{Key: "dense-cross-reference", Label: "Dense connections, cross-reference", Solver: "dense"},
	)
	for i := range rows {
		rows[i].Network = Pretrained
	}
	return &Table{
		Name:    "table2",
		Title:   "Table 2: weights of the nodes",
		About:   "DeepEMD-FCN with class prototypes. The paper's model had pre-training alone; --weights-pretrained gives such a model. K-means with one cluster per node, like a bandwidth near 0, equals the EMD with equal weights; a single cluster, like an infinite bandwidth, equals the cosine of centered mean features. Clusters are the mean number per image (mK).",
		Columns: []Column{fiveWayOne, tenWayOne, fiveWayFive},
		Rows:    rows,
		Orders:  []Order{{Better: "cross-reference", Worse: keys(rows[1:])}},
	}
}

func grid(levels ...int) method.Embedder {
	return method.Embedder{Kind: method.Grid, Grid: levels, Ratio: 2}
}
func sampling(patches int) method.Embedder {
	return method.Embedder{Kind: method.Sampling, Patches: patches}
}

func embeddersTable() *Table {
	return &Table{
		Name:    "table3",
		Title:   "Table 3: local embeddings",
		About:   "Class prototypes, cross-reference weights. Feature pyramids are averaged from the model's map. A grid's crops are twice as wide as its cells, and each crop takes a pass through the model. The paper meta-trains a model for each embedder; here one model serves all rows, unless more are listed below, in the order of the rows.",
		Columns: []Column{fiveWayOne, tenWayOne, fiveWayFive},
		Crops:   true,
		Rows: []Row{
			{Key: "fcn", Label: "FCN"},
			{Key: "fcn-3", Label: "FCN, feature pyramid 3", Embedder: method.Embedder{Pyramid: []int{3}}},
			{Key: "fcn-2", Label: "FCN, feature pyramid 2", Embedder: method.Embedder{Pyramid: []int{2}}},
			{Key: "fcn-2-1", Label: "FCN, feature pyramid 2, 1", Embedder: method.Embedder{Pyramid: []int{2, 1}}},
			{Key: "grid-2", Label: "Grid 2×2", Embedder: grid(2)},
			{Key: "grid-3", Label: "Grid 3×3", Embedder: grid(3)},
			{Key: "grid-4", Label: "Grid 4×4", Embedder: grid(4)},
			{Key: "grid-5", Label: "Grid 5×5", Embedder: grid(5)},
			{Key: "grid-6", Label: "Grid 6×6", Embedder: grid(6)},
			{Key: "grid-2-3", Label: "Grid, image pyramid 2, 3", Embedder: grid(2, 3)},
			{Key: "grid-1-2-3", Label: "Grid, image pyramid 1, 2, 3", Embedder: grid(1, 2, 3)},
			{Key: "grid-3-5", Label: "Grid, image pyramid 3, 5", Embedder: grid(3, 5)},
			{Key: "grid-2-5", Label: "Grid, image pyramid 2, 5", Embedder: grid(2, 5)},
			{Key: "grid-2-3-5", Label: "Grid, image pyramid 2, 3, 5", Embedder: grid(2, 3, 5)},
			{Key: "sampling-4", Label: "Sampling, 4 patches", Embedder: sampling(4)},
			{Key: "sampling-9", Label: "Sampling, 9 patches", Embedder: sampling(9)},
			{Key: "sampling-16", Label: "Sampling, 16 patches", Embedder: sampling(16)},
			{Key: "sampling-25", Label: "Sampling, 25 patches", Embedder: sampling(25)},
		},
		Orders: []Order{{Better: "grid-2-3", Worse: []string{"fcn"}}, {Better: "sampling-25", Worse: []string{"fcn", "sampling-9"}}},
	}
}

func rotationsTable() *Table {
	t := &Table{
		Name:    "table4",
		Title:   "Table 4: pre-training with the auxiliary task of rotations",
		About:   "Class prototypes, for a model of each kind of pre-training. Grid has 3×3 crops, and Sampling 25. The paper meta-trains a model for each embedder; here one model of each kind of pre-training serves all.",
		Columns: []Column{fiveWayOne, tenWayOne, fiveWayFive},
	}
	for _, e := range []struct {
		key, label string
		embedder   method.Embedder
	}{{"fcn", "DeepEMD-FCN", method.Embedder{}}, {"grid", "DeepEMD-Grid", grid(3)}, {"sampling", "DeepEMD-Sampling", sampling(25)}} {
		without, augmented, with := e.key+"-without", e.key+"-augmented", e.key+"-with"
		t.Rows = append(t.Rows,
			Row{Key: without, Label: e.label, Network: Plain, Embedder: e.embedder},
			Row{Key: augmented, Label: e.label + ", rotation as augmentation", Network: Augmented, Embedder: e.embedder},
			Row{Key: with, Label: e.label + ", task of rotations", Network: Rotated, Embedder: e.embedder},
		)
		t.Orders = append(t.Orders, Order{Better: with, Worse: []string{without, augmented}}, Order{Better: without, Worse: []string{augmented}})
	}
	return t
}

func domainsTable() *Table {
	rows := slices.Concat(imageLevel, local, []Row{deepEMD})
	for i := range rows {
		rows[i].Data = Onto
	}
	return &Table{
		Name:    "table5",
		Title:   "Table 5: on another domain",
		About:   "The same model on images of a dataset that it was not trained on. DeepEMD-FCN uses class prototypes.",
		Columns: []Column{fiveWayOne, fiveWayFive},
		Rows:    rows,
		Orders:  []Order{{Better: deepEMD.Key, Worse: keys(imageLevel, local)}},
	}
}

func layerTable() *Table {
	return &Table{
		Name:  "table6",
		Title: "Table 6: time of the EMD layer",
		About: fmt.Sprintf("Processor time of one thread in milliseconds for %d pairs of images, 5 classes and 10 queries, from local embeddings to scores (forward) and from scores to the gradients of both embeddings (backward), for different map sizes and numbers of channels C; medians. The first rows are inference in float32, as in a page; the other rows are training layers.", timedPairs),
		Layer: true,
	}
}

func benchmarkTable() *Table {
	rows := []Row{imageLevel[0], imageLevel[2], imageLevel[3], imageLevel[4], local[0],
		{Key: deepEMD.Key, Label: deepEMD.Label, Embedder: method.Embedder{Pyramid: []int{2, 1}}},
		{Key: "deepemd-grid", Label: "DeepEMD-Grid", Embedder: grid(2, 3, 5)},
		{Key: "deepemd-sampling", Label: "DeepEMD-Sampling", Embedder: sampling(25)},
	}
	for i := range rows[5:] {
		rows[5+i].Several = layer
	}
	return &Table{
		Name:    "table7",
		Title:   "Table 7: one shot and five",
		About:   "With five shots, DeepEMD uses the structured fully connected layer. The embedders are the paper's best of Table 3: FCN has the feature pyramid 2, 1; Grid is the image pyramid 2, 3, 5; Sampling has 25 patches. One model serves all rows, unless more are listed below, in the order of the rows.",
		Columns: []Column{fiveWayOne, fiveWayFive},
		Crops:   true,
		Rows:    rows,
		Orders: []Order{
			{Better: "deepemd-fcn", Worse: []string{"euclidean", "matching", "linear-head", "cosine-head"}},
			{Better: "deepemd-grid", Worse: []string{"deepemd-fcn"}},
			{Better: "deepemd-sampling", Worse: []string{"deepemd-fcn"}},
		},
	}
}

func shotsFigure(p Plan) *Table {
	t := &Table{
		Name:  "kshot",
		Title: "Figure: more shots",
		About: "DeepEMD-FCN with the structured fully connected layer (SFC), compared with other ways to use several examples, 5-way.",
		Draws: true,
		Rows: []Row{
			{Key: "sfc", Label: "EMD, SFC", Classifier: layer},
			{Key: "prototype", Label: "EMD, mean of the examples"},
			{Key: "nearest", Label: "EMD + NN", Classifier: "nearest"},
			{Key: "fusion", Label: "EMD + Fusion", Classifier: "fusion"},
			{Key: "merge", Label: "EMD + Merge", Classifier: "merge"},
			{Key: "euclidean", Label: "Prototypes, Euclidean", Classifier: "euclidean"},
			{Key: "linear-head", Label: "Linear classifier", Classifier: "linear-head"},
			{Key: "cosine-head", Label: "Cosine classifier", Classifier: "cosine-head"},
		},
	}
	var many []string
	for _, k := range p.Shots {
		c := Column{fmt.Sprintf("5w%ds", k), fmt.Sprintf("k = %d", k), 5, k}
		t.Columns = append(t.Columns, c)
		if k > 1 {
			many = append(many, c.Key)
		}
	}
	if many != nil {
		t.Orders = []Order{{Better: "sfc", Worse: keys(t.Rows[1:]), Columns: many}}
	}
	return t
}
