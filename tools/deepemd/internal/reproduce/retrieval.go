package reproduce

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"

	"github.com/deepemd/deepemd/trainer/evaluate"
)

// Finding is the result of retrieval with one ranking.
type Finding struct {
	ID  string `json:"id"` // of the network and the gallery
	Row string `json:"row"`
	Origin
	Pictures   int       `json:"pictures"` // per class; 0 for all
	Queries    int       `json:"queries"`
	Recall     []float64 `json:"recall"` // at foundAt
	RPrecision float64   `json:"rPrecision"`
	MAPR       float64   `json:"mapR"`
	QueryMS    float64   `json:"millisecondsPerQuery"` // of the matches, on one thread
}

var foundAt = []int{1, 2, 4, 8}

// interval returns half the width of the 95% interval of Recall@1, which is a share of the queries.
func (f *Finding) interval() float64 {
	return evaluate.ShareInterval(f.Recall[0], f.Queries)
}

// foundBy are the rankings. The candidates, the images with the highest cosine of mean features,
// are ranked by the Earth Mover's Distance.
var foundBy = []struct {
	key, label string
	candidates int
}{
	{"cosine", "Cosine of mean features", 0},
	{"emd-100", "DeepEMD-FCN ranks the 100 nearest by cosine", 100},
	{"emd", "DeepEMD-FCN ranks all", gallery.All},
}

// gallery returns the gallery, the first images of each class, and its ID.
func (l *Lab) gallery() (id string, pictures []string, labels []int) {
	d, n := l.Data[Main], l.Networks[Main]
	for label, class := range d.classes {
		of := d.set.Pictures(class)
		if l.Plan.GalleryPictures > 0 {
			of = of[:min(l.Plan.GalleryPictures, len(of))]
		}
		for _, p := range of {
			pictures, labels = append(pictures, p.Name), append(labels, label)
		}
	}
	return digest("retrieval", n.SHA256, n.Preprocess, d.fingerprint, pictures), pictures, labels
}

// findings returns the stored results of the gallery in the order of foundBy, or nil.
func (l *Lab) findings() []*Finding {
	if l.Data[Main] == nil {
		return nil
	}
	id, _, _ := l.gallery()
	return l.Store.findings(id)
}

// Find measures retrieval if it is not in the store. It returns the errors of embedding, matching
// and writing, and the context's.
func (l *Lab) Find(ctx context.Context) error {
	id, pictures, labels := l.gallery()
	if l.Store.findings(id) != nil {
		return nil
	}
	n, d := l.Networks[Main], l.Data[Main]
	features, err := l.Features.Features(ctx, n, d, method.Embedder{}, pictures, l.Show)
	if err != nil {
		return err
	}
	sets := make([]*embed.Set, len(pictures))
	for i, name := range pictures {
		sets[i] = features[name]
	}
	newMatcher := func() *match.Matcher { return new(match.Matcher) }
	pool, err := gallery.NewMemory(sets, newMatcher())
	if err != nil {
		return err
	}
	config := evaluate.Retrieval{Matcher: newMatcher, Ks: foundAt, Threads: l.Threads}
	for _, by := range foundBy {
		config.Candidates = append(config.Candidates, by.candidates)
	}
	var result *evaluate.RetrievalResult
	err = l.Show("retrieval: queries", func(progress evaluate.Progress) (err error) {
		config.Progress = progress
		result, err = evaluate.RunRetrieval(ctx, pool, labels, config)
		return err
	})
	if err != nil {
		return err
	}
	var found []*Finding
	for i, row := range result.Rows {
		found = append(found, &Finding{
			ID: id, Row: foundBy[i].key, Origin: l.origin(n, d),
			Pictures: l.Plan.GalleryPictures, Queries: result.Queries, Recall: row.Recall, RPrecision: row.RPrecision, MAPR: row.MAPR,
			QueryMS: milli(row.Matching),
		})
	}
	return l.Store.putFindings(found)
}

// writeRetrieval writes the results of retrieval.
func (r *Report) writeRetrieval(text *strings.Builder) {
	found := r.Lab.findings()
	if found == nil {
		text.WriteString("Not measured.\n")
		return
	}
	text.WriteString("| method | P@1 (Recall@1) | Recall@2 | Recall@4 | Recall@8 | R-Precision | MAP@R | ms of matching per query |\n" + strings.Repeat("| --- ", 8) + "|\n")
	for i, f := range found {
		fmt.Fprintf(text, "| %s | %.2f ± %.2f |", foundBy[i].label, 100*f.Recall[0], 100*f.interval())
		for _, share := range slices.Concat(f.Recall[1:], []float64{f.RPrecision, f.MAPR}) {
			fmt.Fprintf(text, " %.2f |", 100*share)
		}
		if f.QueryMS == 0 {
			text.WriteString(" – |\n")
			continue
		}
		fmt.Fprintf(text, " %s |\n", milliseconds(f.QueryMS))
	}
	f := found[0]
	which := "all images"
	if f.Pictures > 0 {
		which = fmt.Sprintf("the first %d images", f.Pictures)
	}
	fmt.Fprintf(text, "\n%d queries: %s of each class, %s; model %s, SHA-256 %s; %s.\n", f.Queries, which, f.classes(), f.Network, f.SHA256, f.measured())
	switch better, half := found[2].Recall[0]-found[0].Recall[0], math.Hypot(found[0].interval(), found[2].interval()); {
	case better > half:
		text.WriteString("The paper's claim that matching beats global descriptors holds here.\n")
	case better < -half:
		text.WriteString("**The paper's claim that matching beats global descriptors does not hold here.**\n")
	default:
		text.WriteString("The paper's claim that matching beats global descriptors is open: the difference in P@1 is within chance.\n")
	}
}

// foundRows returns the results of retrieval.
func (r *Report) foundRows(*Table) [][]string {
	rows := [][]string{{"row", "method", "recall1", "interval95", "recall2", "recall4", "recall8", "r_precision", "map_r", "ms_per_query", "queries", "pictures_a_class", "data", "split", "part", "network", "weights_sha256", "date", "commit"}}
	for i, f := range r.Lab.findings() {
		fields := []string{f.Row, foundBy[i].label, fmt.Sprintf("%.6f", f.Recall[0]), fmt.Sprintf("%.6f", f.interval())}
		for _, share := range slices.Concat(f.Recall[1:], []float64{f.RPrecision, f.MAPR}) {
			fields = append(fields, fmt.Sprintf("%.6f", share))
		}
		rows = append(rows, append(fields, fmt.Sprintf("%.4f", f.QueryMS), strconv.Itoa(f.Queries), strconv.Itoa(f.Pictures), f.Data, f.Split, f.Part, f.Network, f.SHA256, f.Date, f.Commit))
	}
	return rows
}
