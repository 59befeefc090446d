package recognize

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/internal/folders"
	"github.com/deepemd/deepemd/internal/namedfile"
	"github.com/deepemd/deepemd/internal/plural"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
)

type classifyOptions struct {
	teaching
	project string
	queries []string
	json    bool
}

func init() { verb.Register(verb.Recognize, newClassifyCommand) }

func newClassifyCommand() *cobra.Command {
	var o classifyOptions
	command := &cobra.Command{
		Use:   "classify {--support DIR | --project FILE} --query PATH…",
		Short: "Classify pictures from a few examples of each class",
		Long: "Learn classes from the pictures in the subfolders of DIR, one per class, and classify pictures: files or\n" +
			"folders. A project of the studio (*.deepemd) can replace DIR, and gives the same answers as the studio.\n\n" +
			"Pictures of other classes are reported as unknown; --strangers sets how strictly, or turns this off. --nothing\n" +
			"names a subfolder of DIR with background examples, such as the empty scene: similar pictures are unknown.\n\n" +
			"With --sound the inputs are recordings, MP3 or WAV of up to one minute. Of each, the second around the loudest\n" +
			"sound is used.",
		Example: "  deepemd classify --support things --query new/1.jpg new/2.jpg\n" +
			"  deepemd classify --support things --query new --json\n" +
			"  deepemd classify --support things --nothing empty --query new/1.jpg\n" +
			"  deepemd classify --project my.deepemd new/1.jpg\n" +
			"  deepemd classify --sound --support words --query a.wav",
		Args: cobra.ArbitraryArgs,
		RunE: o.classify,
	}
	f := command.Flags()
	f.StringVar(&o.project, "project", "", "project file, instead of a folder")
	f.StringArrayVar(&o.queries, "query", nil, "picture, folder or pattern (*, ?) to classify; more can follow. Unreadable files are left out; if they were named, the exit code is 1")
	f.BoolVar(&o.json, "json", false, "print JSON")
	o.register(f)
	return command
}

type queryResult struct {
	Query     string  `json:"query"`
	Predicted string  `json:"predicted"` // best class, even for an unknown image
	Scores    []score `json:"scores"`    // best first
	verdict
	EmbedMs float64 `json:"embedMs"`
	MatchMs float64 `json:"matchMs"`
}

// verdict states whether a query belongs to any class. It is empty without --strangers. See
// answer.Verdict.
type verdict struct {
	Unknown     *bool    `json:"unknown,omitempty"`     // familiarity is below threshold, or it resembles background examples
	Nothing     string   `json:"nothing,omitempty"`     // the background class that it resembles
	Familiarity *float64 `json:"familiarity,omitempty"` // similarity to the examples
	Threshold   *float64 `json:"threshold,omitempty"`   // threshold of familiarity for the method's strictness
	Known       *float64 `json:"known,omitempty"`       // probability of belonging to a class, which the scores share
	Together    bool     `json:"together,omitempty"`    // the classes are more probable than unknown, but the best one is less
	Estimated   bool     `json:"estimated,omitempty"`   // too few examples to measure the threshold
}

type score struct {
	Class string  `json:"class"`
	Score float64 `json:"score"` // probability
	Logit float64 `json:"logit"`
}

// classSize is a class with its number of examples.
type classSize struct {
	Class    string `json:"class"`
	Examples int    `json:"examples"`
}

// classification is the output of the command.
type classification struct {
	Classifier string        `json:"classifier"`
	Method     string        `json:"method"` // the whole method as a line for --method
	Classes    []classSize   `json:"classes"`
	Nothing    []classSize   `json:"nothing,omitempty"` // background classes
	LearnMs    float64       `json:"learnMs"`           // reading and embedding the examples, and fitting
	Answers    []queryResult `json:"queries"`
	Sound      bool          `json:"sound,omitempty"` // recordings instead of images
	flags.How
}

func (o *classifyOptions) classify(cmd *cobra.Command, args []string) error {
	stderr, named := cmd.ErrOrStderr(), append(o.queries, args...)
	switch {
	case o.support == "" && o.project == "":
		return errors.New("--support is missing: give a folder with a subfolder of examples for each class, or a --project")
	case o.support != "" && o.project != "":
		return errors.New("--support and --project: give only one of them")
	case o.project != "" && o.nothing != "":
		return errors.New("--nothing requires --support: a project has its own background classes")
	}
	if len(named) == 0 {
		return errors.New("--query is missing: give the pictures to classify")
	}
	queries, err := flags.Expand(named)
	if err != nil {
		return err
	}
	start := time.Now()
	var l *taught
	if o.project != "" {
		l, err = o.byProject(stderr, o.project)
	} else {
		l, err = o.byFolders(stderr)
	}
	if err == nil {
		err = l.learn(stderr)
	}
	if err != nil {
		return err
	}
	result := l.describe()
	result.LearnMs = verb.Milliseconds(time.Since(start))
	err = o.unreadable.Ask(stderr, queries, func(path string) error {
		a, err := l.answer(path)
		if err == nil {
			result.Answers = append(result.Answers, a)
		}
		return err
	})
	if err != nil {
		return err
	}
	return errors.Join(verb.Print(cmd.OutOrStdout(), o.json, result, result.print), queries.Lost())
}

// describe returns the description of the learner, without queries.
func (l *taught) describe() *classification {
	m := l.Method()
	c := &classification{How: l.net.How(m), Classifier: m.Classifier, Method: m.String(), Sound: l.IsAudio()}
	for _, class := range l.enabled(false) {
		c.Classes = append(c.Classes, classSize{class.Label, len(class.Examples)})
	}
	for _, class := range l.enabled(true) {
		c.Nothing = append(c.Nothing, classSize{class.Label, len(class.Examples)})
	}
	return c
}

// answer classifies the image or recording in a file.
func (l *taught) answer(path string) (queryResult, error) {
	raw, err := namedfile.Read(path, namedfile.MaxPicture)
	if err != nil {
		return queryResult{}, &flags.Unread{Err: err}
	}
	if err := l.net.Suits(path, raw); err != nil {
		return queryResult{}, err
	}
	said, err := l.Model().Classify(learner.Picture{Data: raw})
	if err != nil {
		return queryResult{}, unread(path, err)
	}
	a := queryResult{Query: folders.Text(path), Predicted: said.Scores[0].Label, EmbedMs: said.EmbedMS, MatchMs: said.MatchMS}
	for _, s := range said.Scores {
		a.Scores = append(a.Scores, score{s.Label, s.Score, s.Logit})
	}
	if v := said.Verdict; v != nil {
		a.verdict = verdict{&v.Unknown, l.label(v.Nothing), &v.Score, &v.Threshold, &v.Known, v.Together, v.Estimated}
	}
	return a, nil
}

// unknown reports whether the query is of none of the classes.
func (v verdict) unknown() bool { return v.Unknown != nil && *v.Unknown }

// print writes a table with a line for every query and class, the best class first. The probability
// of no class has a line, too: the first of an unknown query, the last of others.
func (c *classification) print(w io.Writer) {
	table := verb.NewTable(w)
	fmt.Fprintln(table, "QUERY\tCLASS\tPROBABILITY\tLOGIT\tMILLISECONDS")
	var total float64
	for _, a := range c.Answers {
		total += a.EmbedMs + a.MatchMs
		query, took := verb.Line(a.Query), fmt.Sprintf("%.1f", a.EmbedMs+a.MatchMs)
		if a.unknown() {
			said := "(unknown)"
			if a.Nothing != "" {
				said = "(unknown: " + verb.Line(a.Nothing) + ")"
			}
			fmt.Fprintf(table, "%s\t%s\t%.4f\t\t%s\n", query, said, 1-*a.Known, took)
			query, took = "", ""
		}
		for _, s := range a.Scores {
			fmt.Fprintf(table, "%s\t%s\t%.4f\t%.4f\t%s\n", query, verb.Line(s.Class), s.Score, s.Logit, took)
			query, took = "", ""
		}
		if a.Unknown != nil && !*a.Unknown {
			said := "(unknown)"
			if a.Together {
				said = "(unknown: less than the classes together)"
			}
			fmt.Fprintf(table, "\t%s\t%.4f\t\t\n", said, 1-*a.Known)
		}
	}
	table.Flush()
	examples := func(classes []classSize) (n int) {
		for _, class := range classes {
			n += class.Examples
		}
		return n
	}
	nothing := ""
	if len(c.Nothing) > 0 {
		nothing = " and " + plural.Count(examples(c.Nothing), "background example", "background examples")
	}
	fmt.Fprintf(w, "\n%s learned from %s%s in %.0f ms; %s, %.1f ms each (%s, %d px, %v, %s kernels)\n",
		plural.Count(len(c.Classes), "class", "classes"), flags.Count(examples(c.Classes), c.Sound, "picture"), nothing, c.LearnMs, plural.Count(len(c.Answers), "query", "queries"), total/float64(len(c.Answers)), verb.Line(c.Network), c.Size, c.Embedding, c.Kernels)
}
