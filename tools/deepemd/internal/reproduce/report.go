package reproduce

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/plural"
)

// Report writes a lab's results into a folder.
type Report struct {
	Lab    *Lab
	Paper  *Paper
	Folder string
	// Command is the command line that reproduces a table, without paths.
	Command func(t *Table) string
	// Missing maps an absent network or dataset to its flag: "--weights-plain".
	Missing map[string]string
}

// Write writes a table: NAME.md, and NAME.svg for a figure. Cells without a result stay empty.
func (r *Report) Write(t *Table) error {
	if err := atomicfile.Replace(r.path(t.Name+".md"), []byte(r.markdown(t))); err != nil || !t.Draws {
		return err
	}
	return atomicfile.Write(r.path(t.Name+".svg"), func(w io.Writer) error { return r.draw(w, t) })
}

func (r *Report) path(name string) string { return filepath.Join(r.Folder, name) }

// Index writes README.md with all tables in the folder.
func (r *Report) Index(tables []*Table) error {
	var text strings.Builder
	text.WriteString("# The paper's tables, measured\n\n" +
		"The tables of [DeepEMD](https://arxiv.org/abs/2003.06777), measured with this project's model and code. The paper's figures\n" +
		"are in separate columns, because its models and most of its data differ. A difference is our figure minus the paper's. Intervals\n" +
		"are 95%; the interval of a difference combines both, or is ours if the paper prints none. All methods in a table classify the\n" +
		"same episodes, so their differences are more precise than the accuracies. These decide whether the paper's ranking holds here.\n" +
		"`–` is a cell that the paper does not have, and an empty cell was not measured. measured.jsonl has all settings.\n")
	for _, t := range tables {
		raw, err := os.ReadFile(r.path(t.Name + ".md"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		text.WriteString("\n" + string(raw))
	}
	return atomicfile.Replace(r.path("README.md"), []byte(text.String()))
}

func (r *Report) markdown(t *Table) string {
	var text strings.Builder
	fmt.Fprintf(&text, "## %s\n\n%s\n\n", t.Title, t.About)
	switch {
	case t.Layer:
		r.writeTimes(&text)
	case t.Draws:
		fmt.Fprintf(&text, "![Accuracy by the number of examples](%s.svg)\n\n", t.Name)
		fallthrough
	default:
		r.accuracies(&text, t)
	}
	fmt.Fprintf(&text, "\n    %s\n", r.Command(t))
	return text.String()
}

// accuracies writes the rows of a table of accuracies, and the conclusions.
func (r *Report) accuracies(text *strings.Builder, t *Table) {
	head := []string{"method"}
	with := r.paperColumns(t)
	for _, c := range t.Columns {
		if with[c.Key] {
			head = append(head, c.Label+", paper", "here", "difference")
		} else {
			head = append(head, c.Label)
		}
	}
	merges := slices.ContainsFunc(t.Rows, func(row Row) bool { return r.clusters(t, row) != " | |" })
	if merges {
		head = append(head, "clusters, paper", "here")
	}
	timed := t.Columns[len(t.Columns)-1]
	writeHead(text, append(head, "ms per query, "+timed.Label, "ms to learn")...)
	absent := map[string][]string{} // labels of rows by the flag of their network or data
	for _, row := range t.Rows {
		fmt.Fprintf(text, "| %s |", row.Label+r.bandwidth(t, row))
		var last *Outcome
		for _, c := range t.Columns {
			last = r.Lab.Outcome(Cell{t, row, c})
			paper, here, difference := compare(r.figure(t, row, c), last)
			if with[c.Key] {
				fmt.Fprintf(text, " %s | %s | %s |", paper, here, difference)
			} else {
				fmt.Fprintf(text, " %s |", here)
			}
		}
		if merges {
			text.WriteString(r.clusters(t, row))
		}
		if last == nil {
			text.WriteString(" | |\n")
			role := row.Network
			if r.Lab.network(role, row.Embedder.Kind) != nil {
				role = row.Data
			}
			if flag := r.Missing[role]; flag != "" && r.Lab.Data[role] == nil {
				absent[flag] = append(absent[flag], row.Label)
			}
			continue
		}
		fmt.Fprintf(text, " %s | %s |\n", milliseconds(last.QueryMS), milliseconds(last.LearnMS))
	}
	for _, flag := range slices.Sorted(maps.Keys(absent)) {
		fmt.Fprintf(text, "\nNot measured without %s: %s.\n", flag, strings.Join(absent[flag], "; "))
	}
	r.orders(text, t)
	r.circumstances(text, t, with)
}

// writeHead writes the head of a table of Markdown.
func writeHead(text *strings.Builder, cells ...string) {
	fmt.Fprintf(text, "| %s |\n%s|\n", strings.Join(cells, " | "), strings.Repeat("| --- ", len(cells)))
}

// compare returns the paper's figure, ours, and the difference, ours minus the paper's, in percent with
// their intervals. Both may be nil.
func compare(f *Figure, o *Outcome) (paper, here, difference string) {
	paper = "–"
	if f != nil {
		paper = interval("%.2f", f.Value, f.Interval)
	}
	if o == nil {
		return paper, "", ""
	}
	mean, half := o.Accuracy()
	if f != nil {
		difference = interval("%+.2f", 100*mean-f.Value, math.Hypot(100*half, f.Interval))
	}
	return paper, interval("%.2f", 100*mean, 100*half), difference
}

// interval formats a value with half its interval, which may be 0 if it is unknown.
func interval(format string, value, half float64) string {
	if half == 0 {
		return fmt.Sprintf(format, value)
	}
	return fmt.Sprintf(format+" ± %.2f", value, half)
}

// bandwidth returns the absolute value of a relative bandwidth.
func (r *Report) bandwidth(t *Table, row Row) string {
	if !strings.HasPrefix(row.Weighting, relativeShift) {
		return ""
	}
	o := r.Lab.Outcome(Cell{t, row, t.Columns[0]})
	if o == nil {
		return ""
	}
	return " (" + strings.TrimPrefix(o.Weighting, "mean-shift:") + ")"
}

// paperColumns returns the columns with figures in the paper.
func (r *Report) paperColumns(t *Table) map[string]bool {
	with := map[string]bool{}
	for _, row := range t.Rows {
		for _, c := range t.Columns {
			if r.figure(t, row, c) != nil {
				with[c.Key] = true
			}
		}
	}
	return with
}

// figure returns the paper's figure of a cell, or nil.
func (r *Report) figure(t *Table, row Row, c Column) *Figure {
	d := r.Lab.Data[row.Data]
	if d == nil {
		return nil
	}
	return r.Paper.Find(t.Name, row.Key, c.Key, d.Paper)
}

// clusters returns the mean number of clusters of an image in the paper and here as cells, which are
// empty if the row merges no nodes.
func (r *Report) clusters(t *Table, row Row) string {
	paper, here := "", ""
	if f := r.figure(t, row, t.Columns[0]); f != nil && f.Clusters > 0 {
		paper = fmt.Sprintf(" %.1f", f.Clusters)
	}
	if o := r.Lab.Outcome(Cell{t, row, t.Columns[0]}); o != nil && o.Clusters > 0 {
		here = fmt.Sprintf(" %.1f", o.Clusters)
	}
	return paper + " |" + here + " |"
}

// orders writes whether the paper's orders hold.
func (r *Report) orders(text *strings.Builder, t *Table) {
	verdicts := r.Lab.verdicts(t)
	if len(verdicts) == 0 {
		return
	}
	columns := slices.DeleteFunc(slices.Clone(t.Columns), func(c Column) bool {
		return !slices.ContainsFunc(verdicts, func(v Verdict) bool { return v.Column == c.Key })
	})
	holds, reversed := 0, 0
	for _, v := range verdicts {
		if v.Confirmed() {
			holds++
		}
		if v.Reversed() {
			reversed++
		}
	}
	fmt.Fprintf(text, "\nDoes the paper's ranking hold here? It holds in %d of %d comparisons, does not hold in %d, and %s: the difference is\nwithin chance. Differences in percentage points over the same episodes:\n\n",
		holds, len(verdicts), reversed, plural.Count(len(verdicts)-holds-reversed, "is open", "are open"))
	head := []string{"claim"}
	for _, c := range columns {
		head = append(head, c.Label)
	}
	writeHead(text, head...)
	for len(verdicts) > 0 {
		better, worse := verdicts[0].Better, verdicts[0].Worse
		fmt.Fprintf(text, "| %s above %s |", t.row(better).Label, t.row(worse).Label)
		for _, c := range columns {
			if len(verdicts) > 0 && verdicts[0].Better == better && verdicts[0].Worse == worse && verdicts[0].Column == c.Key {
				text.WriteString(" " + verdicts[0].String())
				verdicts = verdicts[1:]
			}
			text.WriteString(" |")
		}
		text.WriteByte('\n')
	}
}

func (r *Report) circumstances(text *strings.Builder, t *Table, with map[string]bool) {
	var said []string
	say := func(format string, args ...any) {
		if s := fmt.Sprintf(format, args...); !slices.Contains(said, s) {
			said = append(said, s)
		}
	}
	alone, any := true, false
	for _, cell := range r.Lab.Cells(t) {
		o := r.Lab.Outcome(cell)
		if o == nil {
			continue
		}
		any, alone = true, alone && o.Alone
		say("%s%s with %s per class, seed %d, from %s", plural.Count(o.Setting.Episodes, "episode", "episodes"), r.Lab.Plan.of(o.Setting), plural.Count(o.Setting.Query, "query", "queries"), o.Setting.Seed, o.classes())
		if o.Setting.Pictures > 0 {
			of := ""
			if !t.Crops {
				of = " for grids and random crops"
			}
			say("the first %s of each class%s", plural.Count(o.Setting.Pictures, "image", "images"), of)
		}
		say("model %s, SHA-256 %s", o.Network, o.SHA256)
		say("%s", measured(o.Date, o.Commit))
	}
	if !any {
		return
	}
	how := "the machine had other load while times were measured"
	if alone {
		how = "times were measured alone, on one thread"
	}
	said = append(said, how)
	if len(with) > 0 {
		say("the paper's figures are for %s with a ResNet-12 of width 640", r.paperData(t))
	} else {
		say("the paper's table has no figure for %s", r.paperData(t))
	}
	fmt.Fprintf(text, "\n%s.\n", strings.ToUpper(said[0][:1])+strings.Join(said, "; ")[1:])
}

func (r *Report) paperData(t *Table) string {
	var sets []string
	for _, row := range t.Rows {
		if d := r.Lab.Data[row.Data]; d != nil && !slices.Contains(sets, d.Paper) {
			sets = append(sets, d.Paper)
		}
	}
	return strings.Join(sets, ", ")
}

// measured states the date and, if it is known, the commit of a measurement: "measured 2006-01-02 at
// commit 0123456789ab".
func measured(date, commit string) string {
	if commit != "" {
		commit = " at commit " + commit
	}
	return "measured " + date + commit
}

// milliseconds formats a time with three significant digits.
func milliseconds(ms float64) string {
	switch {
	case ms >= 100:
		return fmt.Sprintf("%.0f", ms)
	case ms >= 10:
		return fmt.Sprintf("%.1f", ms)
	case ms >= 1:
		return fmt.Sprintf("%.2f", ms)
	}
	return fmt.Sprintf("%.3f", ms)
}
