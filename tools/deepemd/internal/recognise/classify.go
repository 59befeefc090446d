package recognise

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/tools/deepemd/internal/encoder"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/progress"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/format/arrays"
)

// classifyOptions are the flags of classify.
type classifyOptions struct {
	network    flags.Network
	classifier flags.Classifier
	support    string
	project    string
	queries    []string
	json       bool
}

func init() { verb.Register(verb.Recognise, newClassifyCommand) }

// newClassifyCommand returns the command that classifies pictures by examples.
func newClassifyCommand() *cobra.Command {
	var o classifyOptions
	command := &cobra.Command{
		Use:   "classify {--support DIR | --project FILE} --query PATH…",
		Short: "Classify pictures by a few examples of each class",
		Long: "Learn the classes from the pictures in the sub-folders of DIR, one folder a class, and classify\n" +
			"pictures: files, or folders of them. JPEG, PNG and WebP; hidden files are left out. A project that the\n" +
			"studio saved (*.deepemd) takes the place of the folders.\n\n" +
			"With --sound they are recordings, MP3 or WAV of up to a minute; the second around the loudest sound of\n" +
			"each counts.",
		Example: "  deepemd classify --support things --query new/1.jpg new/2.jpg\n" +
			"  deepemd classify --support things --query new --json\n" +
			"  deepemd classify --project my.deepemd new/1.jpg\n" +
			"  deepemd classify --sound --support words --query a.wav",
		Args: cobra.ArbitraryArgs, // more queries
		RunE: func(cmd *cobra.Command, args []string) error {
			o.queries = append(o.queries, args...)
			return classify(cmd.OutOrStdout(), cmd.ErrOrStderr(), o)
		},
	}
	f := command.Flags()
	f.StringVar(&o.support, "support", "", "folder with a sub-folder of examples for each class")
	f.StringVar(&o.project, "project", "", "project file with the examples, instead of a folder")
	f.StringArrayVar(&o.queries, "query", nil, "picture to classify, or a folder of them; more may follow")
	f.BoolVar(&o.json, "json", false, "print JSON")
	o.classifier.Register(f, false)
	o.network.Register(f)
	o.network.RegisterSound(f)
	return command
}

// answer is what is known of one query.
type answer struct {
	Query     string  `json:"query"`
	Predicted string  `json:"predicted"`
	Scores    []score `json:"scores"` // best first
	EmbedMs   float64 `json:"embedMs"`
	MatchMs   float64 `json:"matchMs"`
}

// score is a class's score for a query.
type score struct {
	Class string  `json:"class"`
	Score float64 `json:"score"` // probability
	Logit float64 `json:"logit"`
}

// learnt is what is known of one class.
type learnt struct {
	Class    string `json:"class"`
	Examples int    `json:"examples"`
}

// classification is the outcome of the command.
type classification struct {
	Network    string   `json:"network"`
	Kernels    string   `json:"kernels"`
	Size       int      `json:"size"`
	Classifier string   `json:"classifier"`
	Weighting  string   `json:"weighting"`
	Solver     string   `json:"solver,omitempty"` // as of evaluation
	Classes    []learnt `json:"classes"`
	LearnMs    float64  `json:"learnMs"` // reading, embedding and fitting the examples
	Answers    []answer `json:"queries"`
	Sound      bool     `json:"sound,omitempty"` // recordings, not pictures

	arrays.Embedding // the pictures
}

// classify runs the command and prints to stdout.
func classify(stdout, stderr io.Writer, o classifyOptions) error {
	switch {
	case o.support == "" && o.project == "":
		return errors.New("--support is missing: give the folder that has a sub-folder of examples for each class, or a --project")
	case o.support != "" && o.project != "":
		return errors.New("--support and --project: the examples come from one of them")
	}
	if len(o.queries) == 0 {
		return errors.New("--query is missing: give the pictures to classify")
	}
	newClassifier, err := o.classifier.Factory()
	if err != nil {
		return err
	}
	settings, err := o.classifier.Settings()
	if err != nil {
		return err
	}
	queries, err := encoder.Expand(o.queries)
	if err != nil {
		return err
	}
	if o.project != "" {
		if err := projectEmbedder(&o.network.Embedder, o.project); err != nil {
			return err
		}
	}
	net, err := o.network.Open(stderr, weights.Meta{})
	if err != nil {
		return err
	}
	result := classification{
		Network:    net.Network.Meta().Name,
		Kernels:    net.Network.Kernels(),
		Size:       net.Preprocess.Size,
		Embedding:  net.Embedding(),
		Classifier: o.classifier.Method,
		Weighting:  settings.Weighting.String(),
		Sound:      net.Sound,
	}
	if !settings.Solver.Exact() {
		result.Solver = settings.Solver.String()
	}
	start := time.Now()
	classes, err := o.classes(net)
	if err != nil {
		return err
	}
	classifier := newClassifier()
	if err := classifier.Fit(classes); err != nil {
		return err
	}
	result.LearnMs = progress.Milliseconds(time.Since(start))
	for _, c := range classes {
		result.Classes = append(result.Classes, learnt{c.Name, len(c.Support)})
	}
	for _, path := range queries {
		a, err := answerQuery(path, net, classifier, classes)
		if err != nil {
			return err
		}
		result.Answers = append(result.Answers, a)
	}
	if o.json {
		out := json.NewEncoder(stdout)
		out.SetIndent("", "  ")
		return out.Encode(result)
	}
	return result.print(stdout)
}

// classes returns the classes to tell apart, with their examples embedded.
func (o *classifyOptions) classes(net *encoder.Encoder) ([]fewshot.Class, error) {
	if o.project == "" {
		return readClasses(o.support, net)
	}
	digest, err := o.network.Digest()
	if err != nil {
		return nil, err
	}
	return projectClasses(o.project, net, digest)
}

// readClasses embeds the examples of every class in dir.
func readClasses(dir string, net *encoder.Encoder) ([]fewshot.Class, error) {
	examples, err := data.OpenExamples(dir)
	if err != nil {
		return nil, err
	}
	defer examples.Close()
	var classes []fewshot.Class
	for _, c := range examples.Classes {
		class := fewshot.Class{Name: c.Name}
		for _, file := range c.Files {
			raw, err := examples.Read(file)
			if err != nil {
				return nil, err
			}
			picture, err := net.Decode(examples.Path(file), raw)
			if err != nil {
				return nil, err
			}
			sets, err := net.Embed(picture)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", examples.Path(file), err)
			}
			class.Support = append(class.Support, sets[0])
		}
		classes = append(classes, class)
	}
	return classes, nil
}

// answerQuery classifies one picture.
func answerQuery(path string, net *encoder.Encoder, classifier fewshot.Classifier, classes []fewshot.Class) (answer, error) {
	picture, err := net.Read(path)
	if err != nil {
		return answer{}, err
	}
	start := time.Now()
	sets, err := net.Embed(picture)
	if err != nil {
		return answer{}, fmt.Errorf("%s: %w", path, err)
	}
	embedded := time.Now()
	logits, err := classifier.Scores(nil, sets[0])
	if err != nil {
		return answer{}, fmt.Errorf("%s: %w", path, err)
	}
	a := answer{Query: path, EmbedMs: progress.Milliseconds(embedded.Sub(start)), MatchMs: progress.Milliseconds(time.Since(embedded))}
	probabilities := fewshot.Softmax(nil, logits)
	for _, i := range fewshot.Ranking(logits) {
		a.Scores = append(a.Scores, score{classes[i].Name, probabilities[i], logits[i]})
	}
	a.Predicted = a.Scores[0].Class
	return a, nil
}

// print writes a table: a line for every query and class, the best class first.
func (c *classification) print(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "QUERY\tCLASS\tPROBABILITY\tLOGIT\tMILLISECONDS")
	var total float64
	for _, a := range c.Answers {
		total += a.EmbedMs + a.MatchMs
		for i, s := range a.Scores {
			query, took := a.Query, fmt.Sprintf("%.1f", a.EmbedMs+a.MatchMs)
			if i > 0 {
				query, took = "", ""
			}
			fmt.Fprintf(table, "%s\t%s\t%.4f\t%.4f\t%s\n", query, s.Class, s.Score, s.Logit, took)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	examples := 0
	for _, class := range c.Classes {
		examples += class.Examples
	}
	_, err := fmt.Fprintf(w, "\n%d classes learnt from %d %s in %.0f ms; %d queries, %.1f ms each (%s, %d px, %v, %s kernels)\n",
		len(c.Classes), examples, c.what(), c.LearnMs, len(c.Answers), total/float64(len(c.Answers)), c.Network, c.Size, c.Embedding, c.Kernels)
	return err
}

// what is compared, for people.
func (c *classification) what() string {
	if c.Sound {
		return "recordings"
	}
	return "pictures"
}
