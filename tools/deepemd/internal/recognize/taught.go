package recognize

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"
	"golang.org/x/text/unicode/norm"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// teaching are the flags for the examples, the network and the method.
type teaching struct {
	network flags.Network
	method  flags.Method
	support string
	nothing string // the folder of background examples; optional

	unreadable flags.Unreadable
}

func (o *teaching) register(f *pflag.FlagSet) {
	f.StringVar(&o.support, "support", "", "folder or zip with a subfolder of examples per class, or a project of Teachable Machine or genai-tm")
	f.StringVar(&o.nothing, "nothing", "", "name of the subfolder with background examples, such as the empty scene: similar pictures are unknown")
	o.unreadable.Register(f)
	o.method.RegisterClassifier(f, method.Default(), false)
	o.method.RegisterStrangers(f)
	o.method.RegisterEmbedder(f)
	o.network.Register(f)
	o.network.RegisterSound(f)
}

type taught struct {
	*learner.Learner
	net *flags.Encoder
}

// blank returns a learner without examples, with the method of the flags over base.
func (o *teaching) blank(stderr io.Writer, base method.Method) (*taught, error) {
	m, err := o.method.Apply(base)
	if err != nil {
		return nil, err
	}
	digest, err := o.network.SHA256()
	if err != nil {
		return nil, err
	}
	net, err := o.network.Open(stderr, learner.Options{Method: m, Tuning: o.method.Tuning(), Digest: digest}, weights.Meta{})
	if err != nil {
		return nil, err
	}
	return &taught{net.Learner, net}, nil
}

// byFolders returns a learner of the classes in the subfolders of --support.
func (o *teaching) byFolders(stderr io.Writer) (*taught, error) {
	dir := o.support
	examples, err := data.OpenExamples(dir)
	if err != nil {
		return nil, err
	}
	defer examples.Close()
	if err := o.unreadable.Files(stderr, examples.Left); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	l, err := o.blank(stderr, method.Default())
	if err != nil {
		return nil, err
	}
	o.nothing = norm.NFC.String(o.nothing) // the form of the classes' names
	if err := o.assertNothing(examples.Classes); err != nil {
		return nil, err
	}
	var files []string
	var of []int // the classes of the files
	for i, c := range examples.Classes {
		add := l.AddClass
		if c.Name == o.nothing {
			add = l.AddBackgroundClass
		}
		if err := add(classID(i), c.Name); err != nil {
			return nil, err
		}
		files, of = append(files, c.Files...), append(of, slices.Repeat([]int{i}, len(c.Files))...)
	}
	left := make([]int, len(examples.Classes))
	err = verb.Each(stderr, "examples embedded", len(files), func(above io.Writer, n int) error {
		raw, err := examples.Read(files[n])
		if err != nil {
			err = &flags.Unread{Err: err}
		} else {
			err = l.teach(classID(of[n]), fmt.Sprintf("example-%d", n+1), examples.Path(files[n]), raw)
		}
		if err == nil || !o.unreadable.Skip(above, err) {
			return err
		}
		left[of[n]]++
		if c := examples.Classes[of[n]]; left[of[n]] == len(c.Files) {
			return fmt.Errorf("%s: no example of class %s can be read: %w", dir, c.Name, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	l.warn(stderr)
	return l, nil
}

// classID returns the ID of the class in a folder.
func classID(i int) string { return fmt.Sprintf("class-%d", i+1) }

// learn trains the classifier and calibrates verdicts, so that no query waits.
func (l *taught) learn(stderr io.Writer) error {
	return verb.ProgressOn(stderr)("learning", func(show evaluate.Progress) error {
		return l.Model().Learn(context.Background(), func(done, total int) error {
			show(done, total)
			return nil
		})
	})
}

// unread returns a learner's error about a file with its name, as an Unread if the file is damaged.
func unread(path string, err error) error {
	failed, known := errors.AsType[*learner.Error](err)
	damaged := known && slices.Contains([]learner.Code{learner.CodeBadImage, learner.CodeBadSound, learner.CodeSilent}, failed.Code)
	if err = fmt.Errorf("%s: %w", path, err); damaged {
		return &flags.Unread{Err: err}
	}
	return err
}

// warn notes on stderr if there is only one class.
func (l *taught) warn(stderr io.Writer) {
	if known := l.enabled(false); len(known) == 1 && len(l.enabled(true)) == 0 {
		fmt.Fprintf(stderr, "only one class, %s: every answer is this class or unknown; add examples of a second class\n", verb.Line(known[0].Label))
	}
}

// assertNothing returns an error unless the folder of background examples is one of several.
func (o *teaching) assertNothing(classes []data.ExampleClass) error {
	if o.nothing == "" {
		return nil
	}
	if !slices.ContainsFunc(classes, func(c data.ExampleClass) bool { return c.Name == o.nothing }) {
		return fmt.Errorf("--nothing %s: %s has no subfolder of that name: put the background examples there", o.nothing, o.support)
	}
	if len(classes) == 1 {
		return fmt.Errorf("--nothing %s: %s has no other subfolder: put the examples of each class into a subfolder", o.nothing, o.support)
	}
	return nil
}

// teach adds the image or recording in a file to a class.
func (l *taught) teach(class, example, path string, raw []byte) error {
	if err := l.net.Suits(path, raw); err != nil {
		return err
	}
	if _, err := l.AddExample(class, example, learner.Picture{Data: raw}); err != nil {
		return unread(path, err)
	}
	return nil
}

// byProject returns a learner of a project file, with its method and the network in the program that
// taught it, unless the flags change them. The file determines whether the examples are images or sounds.
func (o *teaching) byProject(stderr io.Writer, path string) (*taught, error) {
	p, closeFile, err := flags.OpenProject(path)
	if err != nil {
		return nil, err
	}
	defer closeFile()
	m := &p.Manifest
	if m.Kind == project.KindFeatures {
		return nil, fmt.Errorf("%s: %w", path, flags.ErrFeatures)
	}
	if o.network.Sound && m.Kind != project.KindSound {
		return nil, fmt.Errorf("%s: is a project of pictures: leave out --sound", path)
	}
	o.network.SetSound(m.Kind == project.KindSound)
	if m.Network != nil {
		o.network.Suit(m.Network.SHA256)
	}
	l, err := o.blank(stderr, m.Method)
	if err != nil {
		return nil, err
	}
	m.Method = l.Method()
	if by := m.Network; by != nil && by.SHA256 != l.Digest() {
		now, other := l.Info().Name, "another network, "+by.Name
		if by.Name == now {
			other = fmt.Sprintf("other weights of the same name (SHA-256 %.12s…)", by.SHA256)
		}
		remedy := ""
		if o.network.Weights == "" && flags.Maker(by.SHA256) == nil {
			remedy = "; to use its own network, give that file with --weights"
		}
		fmt.Fprintf(stderr, "note: %s was taught with %s: its examples are embedded again with %s%s\n", path, verb.Line(other), verb.Line(now), remedy)
	}
	err = verb.ProgressOn(stderr)("examples opened", func(show evaluate.Progress) (err error) {
		p.Progress = func(done, total int) error {
			show(done, total)
			return nil
		}
		l.Learner, err = archive.Open(p, l.Learner)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(l.enabled(false)) == 0 {
		return nil, fmt.Errorf("%s: no enabled class has examples: add some first", path)
	}
	l.warn(stderr)
	return l, nil
}

// enabled returns the enabled classes with examples: the background classes, or the others.
func (l *taught) enabled(background bool) []learner.Class {
	return slices.DeleteFunc(l.Classes(), func(c learner.Class) bool {
		return c.Background != background || c.Disabled || len(c.Examples) == 0
	})
}

// label returns the label of a class, or "".
func (l *taught) label(id string) string {
	for _, c := range l.Classes() {
		if c.ID == id {
			return c.Label
		}
	}
	return ""
}
