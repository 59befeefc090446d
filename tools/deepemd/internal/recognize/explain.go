package recognize

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/folders"
	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/tools/deepemd/internal/figure"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

type explainOptions struct {
	network flags.Network
	method  flags.Method
	out     string
	what    []string
	scale   float64
	output  verb.Output
	json    bool
}

// defaultFigures is the default folder of the figures.
const defaultFigures = "explanation"

// drawing is a drawing of explain, with its name in --what and in the file's name.
type drawing struct {
	name, what string
	draw       func(*figure.Subject) image.Image
	path       string // of the file
}

var drawings = []drawing{
	{"overview", "both pictures side by side, with lines for the flow", (*figure.Subject).Overview, ""},
	{"matches", "each picture rebuilt from the other's best patches, with weights as brightness", (*figure.Subject).Matches, ""},
	{"flow", "every patch of the first picture with its partners in the second", (*figure.Subject).Flow, ""},
	{"weights", "the weights of the nodes in each picture", (*figure.Subject).Weights, ""},
}

func init() { verb.Register(verb.Recognize, newExplainCommand) }

func newExplainCommand() *cobra.Command {
	var o explainOptions
	var names strings.Builder
	for _, f := range drawings {
		fmt.Fprintf(&names, "\n%s: %s", f.name, f.what)
	}
	command := &cobra.Command{
		Use:   "explain A B",
		Short: "Draw the match of two pictures or recordings: regions, weights and flow",
		Long: "Match picture A with picture B, and draw the match as PNG files in the folder --out. --json prints the regions\n" +
			"and weights of the nodes, the flow, the costs and the score instead, and draws only with --out.\n\n" +
			"Two recordings (MP3, WAV) are matched by their spectrograms: time to the right, high frequencies on top.",
		Example: "  deepemd explain cat1.jpg cat2.jpg\n" +
			"  deepemd explain cat1.jpg cat2.jpg --embedder grid --grid 3 --what overview --out why.png\n" +
			"  deepemd explain cat1.jpg cat2.jpg --weighting equal --json\n" +
			"  deepemd explain yes1.mp3 yes2.wav",
		Args: verb.Arguments(2, 2, "two pictures", "A.jpg B.jpg"),
		RunE: o.explain,
	}
	f := command.Flags()
	f.StringVar(&o.out, "out", defaultFigures, "folder for the drawings, or a .png file for one drawing")
	f.StringSliceVar(&o.what, "what", nil, "what to draw, separated by commas (default: all)"+names.String())
	o.output.Register(f)
	f.Float64Var(&o.scale, "scale", 2, "size of the drawings: 1 is about 1000 pixels wide")
	f.BoolVar(&o.json, "json", false, "print JSON")
	o.method.RegisterMatcher(f)
	o.method.RegisterEmbedder(f)
	o.network.Register(f)
	o.network.RegisterSound(f)
	return command
}

// explanation is the output of the command.
type explanation struct {
	Score       float64       `json:"score"` // logit
	Temperature float64       `json:"temperature"`
	From        explainedSide `json:"from"`
	To          explainedSide `json:"to"`
	// By node of From, then node of To.
	Flow  [][]float64 `json:"flow"`
	Cost  [][]float64 `json:"cost"`  // 1 − cosine of the centered nodes
	Links []link      `json:"links"` // pairs that exchange mass, largest flow first

	flags.How
	Sound bool     `json:"sound,omitempty"` // recordings instead of pictures
	Files []string `json:"files,omitempty"` // written files
}

type explainedSide struct {
	Picture string `json:"picture"`
	Nodes   []node `json:"nodes"`
}

// node is the region and the weight of a local embedding.
type node struct {
	Region [4]float32 `json:"region"` // left, top, right, bottom, in fractions of the embedded image
	Weight float64    `json:"weight"`
}

// link is a pair of nodes that exchange mass.
type link struct {
	From       int     `json:"from"`
	To         int     `json:"to"`
	Flow       float64 `json:"flow"`
	Similarity float64 `json:"similarity"`
	Score      float64 `json:"score"` // contribution to the score
}

func (o *explainOptions) explain(cmd *cobra.Command, args []string) error {
	targets, err := o.targets(cmd.Flags().Changed)
	if err != nil {
		return err
	}
	for _, t := range targets {
		if _, err := os.Stat(filepath.Dir(t.path)); err != nil {
			continue // it is made with the drawing
		}
		if err := o.output.Check(t.path, args, verb.Begins("\x89PNG")); err != nil {
			return err
		}
	}
	m, err := o.method.Apply(method.Default())
	if err != nil {
		return err
	}
	matcher := flags.Matcher(m)()
	o.network.SetSound(o.network.Sound || flags.AllRecordings(args))
	net, err := o.network.Open(cmd.ErrOrStderr(), learner.Options{Method: method.Method{Embedder: m.Embedder}}, weights.Meta{})
	if err != nil {
		return err
	}
	var pictures [2]*imaging.Image
	for i, path := range args {
		if pictures[i], err = net.Read(path); err != nil {
			return err
		}
	}
	sets, err := net.Embed(pictures[:]...)
	if err != nil {
		return err
	}
	query, err := matcher.Prepare(sets[0])
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	support, err := matcher.Prepare(sets[1])
	if err != nil {
		return fmt.Errorf("%s: %w", args[1], err)
	}
	e, err := matcher.Explain(query, support)
	if err != nil {
		return err
	}
	result := outcome(net, m, e, args)
	names := shortNames(args[0], args[1])
	subject := &figure.Subject{
		Explanation: e,
		From:        figure.Picture{Name: names[0], View: figure.View(net.Embedder, net.Preprocess, pictures[0])},
		To:          figure.Picture{Name: names[1], View: figure.View(net.Embedder, net.Preprocess, pictures[1])},
		Embedder:    net.Embedder,
		Nodes:       sets[0].N,
		Method:      result.method(),
		Scale:       o.scale,
	}
	for _, t := range targets {
		if err := os.MkdirAll(filepath.Dir(t.path), 0o777); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		if err := atomicfile.Write(t.path, func(w io.Writer) error { return png.Encode(w, t.draw(subject)) }); err != nil {
			return err
		}
		result.Files = append(result.Files, t.path)
	}
	return verb.Print(cmd.OutOrStdout(), o.json, result, result.print)
}

// shortNames returns the names of two files without their folders, or with the last folder if the
// names are equal.
func shortNames(a, b string) [2]string {
	names := [2]string{filepath.Base(a), filepath.Base(b)}
	if names[0] == names[1] {
		for i, path := range [2]string{a, b} {
			names[i] = filepath.Join(filepath.Base(filepath.Dir(path)), names[i])
		}
	}
	return names
}

// targets returns the chosen drawings with their files, none for JSON alone.
func (o *explainOptions) targets(given func(flag string) bool) (targets []drawing, err error) {
	if !(o.scale >= 0.5 && o.scale <= 8) {
		return nil, fmt.Errorf("--scale %g: want 0.5 to 8", o.scale)
	}
	var chosen, known []string
	for _, f := range drawings {
		known = append(known, f.name)
	}
	for _, name := range o.what {
		if name = strings.TrimSpace(name); !slices.Contains(known, name) {
			return nil, fmt.Errorf("--what %s: want one or several of %s, separated by commas", name, strings.Join(known, ", "))
		}
		chosen = append(chosen, name)
	}
	if len(chosen) == 0 {
		chosen = known
	}
	if o.json && !given("out") {
		if given("what") {
			return nil, errors.New("--what requires drawings, which --json makes only with --out: add --out")
		}
		return nil, nil
	}
	one := strings.EqualFold(filepath.Ext(o.out), ".png")
	if one && len(chosen) != 1 {
		return nil, fmt.Errorf("--out %s is one file: choose one of %s with --what, or name a folder", o.out, strings.Join(chosen, ", "))
	}
	info, err := os.Stat(o.out)
	if exists := err == nil; !one && (exists && !info.IsDir() || !exists && otherPicture(o.out)) {
		return nil, fmt.Errorf("--out %s is a file that does not end in .png: name a folder or such a file", o.out)
	}
	for _, f := range drawings {
		if f.path = o.out; !one {
			f.path = filepath.Join(o.out, f.name+".png")
		}
		if slices.Contains(chosen, f.name) {
			targets = append(targets, f)
		}
	}
	return targets, nil
}

// otherPicture reports whether a name ends like a picture that is not written.
func otherPicture(name string) bool {
	return slices.Contains([]string{".gif", ".jpeg", ".jpg", ".pdf", ".svg", ".webp"}, strings.ToLower(filepath.Ext(name)))
}

func outcome(net *flags.Encoder, m method.Method, e *answer.Match, paths []string) *explanation {
	x := &explanation{
		Score: e.Score, Temperature: e.Temperature,
		From: explainSide(paths[0], e.From), To: explainSide(paths[1], e.To), How: net.How(m), Sound: net.Learner.IsAudio(),
	}
	n := e.To.N()
	for i := range e.From.N() {
		cost := make([]float64, n)
		for j, s := range e.Similarity[i*n:][:n] {
			cost[j] = 1 - s
		}
		x.Flow, x.Cost = append(x.Flow, make([]float64, n)), append(x.Cost, cost)
	}
	for _, l := range e.Flow {
		x.Flow[l.From][l.To] = l.Flow
		x.Links = append(x.Links, link(l))
	}
	return x
}

func explainSide(path string, s answer.Side) explainedSide {
	side := explainedSide{Picture: folders.Text(path)}
	for _, n := range s {
		side.Nodes = append(side.Nodes, node{[4]float32{n.X0, n.Y0, n.X1, n.Y1}, n.Weight})
	}
	return side
}

// method describes the comparison in one line.
func (x *explanation) method() string {
	s := fmt.Sprintf("DeepEMD · %s at %d px · %v · %s weights", x.Network, x.Size, x.Embedding, x.Weighting)
	if x.Solver != "" {
		s += " · flow by " + x.Solver
	}
	if x.Sound {
		s += " · time to the right, high frequencies on top"
	}
	return s
}

// print writes the output for people.
func (x *explanation) print(w io.Writer) {
	fmt.Fprintf(w, "score %.4f, similarity %.4f (%s)\nnodes: %d and %d, %s of them matched; most of the score:\n",
		x.Score, x.Score/x.Temperature, x.method(), len(x.From.Nodes), len(x.To.Nodes), plural.Count(len(x.Links), "pair", "pairs"))
	share := func(l link) float64 {
		if x.Score == 0 { // such as the score of a plain picture
			return math.Abs(l.Score)
		}
		return l.Score / x.Score
	}
	best := slices.Clone(x.Links)
	slices.SortStableFunc(best, func(a, b link) int { return cmp.Compare(share(b), share(a)) })
	for _, l := range best[:min(5, len(best))] {
		part := fmt.Sprintf("%5.1f%%", 100*share(l))
		if x.Score <= 0 {
			part = fmt.Sprintf("%7.4f", l.Score)
		}
		fmt.Fprintf(w, "  %s  node %d at %s  with node %d at %s, similarity %.3f\n",
			part, l.From, x.From.Nodes[l.From], l.To, x.To.Nodes[l.To], l.Similarity)
	}
	for _, file := range x.Files {
		fmt.Fprintln(w, file)
	}
}

// String returns the center of the region, from the left and from the top.
func (n node) String() string {
	return fmt.Sprintf("(%.0f%%, %.0f%%)", 50*(n.Region[0]+n.Region[2]), 50*(n.Region[1]+n.Region[3]))
}
