package recognize

import (
	"cmp"
	"fmt"
	"image/png"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/tools/deepemd/internal/figure"
	"github.com/deepemd/deepemd/trainer/data"
)

// drawSheet draws queries and their results. Pictures that are absent from the source are blank,
// unless all are absent.
func (o *searchOptions) drawSheet(r *findings, queries []*imaging.Image) error {
	source := cmp.Or(o.data, r.Source)
	gallery, err := data.OpenUnclassified(source)
	if err != nil {
		return fmt.Errorf("--sheet: cannot read the pictures: %w; give their current folder with --data", err)
	}
	defer gallery.Close()
	sheet := figure.Sheet{
		Title:    "Found in " + filepath.Base(r.Source),
		Subtitle: fmt.Sprintf("%d pictures, %s. Queries on the left.", r.Pictures, r.ranked),
		Footer:   fmt.Sprintf("DeepEMD · %s · %v · %s weights", r.Network, r.Embedding, r.Weighting),
	}
	shown := 0
	for k, f := range r.Queries {
		row := figure.SheetRow{Query: figure.Cell{Picture: queries[k], Name: filepath.Base(f.Query), Note: "query"}}
		for _, h := range f.Hits {
			cell := figure.Cell{Name: h.label(), Note: h.note(r.Candidates > 0)}
			if picture, err := gallery.Image(h.name); err == nil {
				cell.Picture = picture
				shown++
			}
			row.Found = append(row.Found, cell)
		}
		sheet.Rows = append(sheet.Rows, row)
	}
	if shown == 0 {
		return fmt.Errorf("--sheet: %s has none of the results: give their current folder with --data", source)
	}
	img, err := sheet.Draw()
	if err != nil {
		return fmt.Errorf("--sheet: %s", strings.TrimPrefix(err.Error(), "figure: "))
	}
	return atomicfile.Write(o.sheet, func(w io.Writer) error { return png.Encode(w, img) })
}

// label returns the first word of the picture's class, or its file name.
func (h hit) label() string {
	if h.Class == "" {
		return path.Base(h.Picture)
	}
	first, _, _ := strings.Cut(h.Class, ",")
	return first
}

// note returns the score as text.
func (h hit) note(matched bool) string {
	if matched {
		return fmt.Sprintf("%.2f", h.Score)
	}
	return fmt.Sprintf("cosine %.3f", h.Cosine)
}
