package train

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/namedfile"
	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/training"
)

// trainingFlags are the flags of all kinds of training.
type trainingFlags struct {
	recipe, config, split, out string
	device                     string
	data, set                  []string
	resume                     bool

	kind   string   // of the recipes
	before []string // lines of the settings of a resumed run
}

func (f *trainingFlags) register(set *pflag.FlagSet, kind string) {
	f.kind = kind
	set.StringVar(&f.recipe, "recipe", "", "settings that come with the program, for a new run: "+strings.Join(trainer.Recipes(kind), ", "))
	set.StringVar(&f.config, "config", "", "TOML file of settings, which override the recipe or the resumed run's (default: the project's defaults)")
	set.StringArrayVar(&f.data, "data", nil, flags.DataHelp+"; can be repeated to join data by class names")
	set.StringVar(&f.split, "split", "", flags.SplitHelp+" (default: the split that comes with the data, or all classes train)")
	set.StringVar(&f.out, "out", "", "the run's folder; it is created")
	set.StringArrayVar(&f.set, "set", nil, "change a setting: name=value, as in the file; words need no quotes")
	set.StringVar(&f.device, "device", "", "device that trains: "+training.DeviceHelp)
	set.BoolVar(&f.resume, "resume", false, "continue the run in --out from its checkpoint")
}

// initHelp describes --init.
var initHelp = "the initial network: safetensors or .pth, of any widths, a run's folder, or " + flags.Names()

// settingsFile is the file with a run's settings.
const settingsFile = "settings.toml"

// lock locks the run's folder on rank 0, so that no other run writes into it.
func (f *trainingFlags) lock(g cluster.Group) (*atomicfile.Lock, error) {
	if f.out == "" {
		return nil, errors.New("--out is missing: name a folder for the run")
	}
	if !cluster.IsFirst(g) {
		return nil, nil
	}
	held, err := atomicfile.HoldFolder(f.out)
	if err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	return held, nil
}

// read applies the recipe or the settings of a resumed run, then the settings file and the flags to
// settings. source is a part of settings.
func (f *trainingFlags) read(g cluster.Group, settings settings, source *training.Pictures) (err error) {
	switch {
	case f.resume && f.recipe != "":
		return errors.New("--recipe: a resumed run has its settings: leave out --recipe, and change them with --set")
	case f.resume:
		err = f.readRun(g, settings)
	case cluster.IsFirst(g) && training.HasRun(f.out):
		err = fmt.Errorf("%s already has a run: --resume continues it, or name another folder", f.out)
	case f.recipe != "":
		var raw []byte
		if raw, err = trainer.ReadRecipe(f.kind, f.recipe); err == nil {
			err = decodeSettings("recipe "+f.recipe, raw, settings)
		}
	}
	if err != nil {
		return err
	}
	if f.config != "" {
		raw, err := namedfile.Read(f.config, namedfile.MaxText)
		if err != nil {
			return err
		}
		if err := decodeSettings(f.config, raw, settings); err != nil {
			return err
		}
	}
	if f.device != "" {
		f.set = append(f.set, fmt.Sprintf("device=%q", f.device))
	}
	for _, change := range f.set {
		if err := applyChange(settings, change); err != nil {
			return err
		}
	}
	// Checkpoints are padded, so similar widths have the same size.
	if changes := f.changes(settings); f.before != nil && strings.Contains(changes, "widths = ") {
		return fmt.Errorf("%w: %s", training.ErrSettings, changes)
	}
	if len(f.data) > 0 {
		source.Data, source.More = f.data[0], f.data[1:]
	}
	source.Split = cmp.Or(f.split, source.Split)
	if source.Data == "" {
		return errors.New("--data is missing: give the zip archive or folder of images by class")
	}
	return nil
}

// word matches a text that needs no quotes in --set.
var word = regexp.MustCompile(`^[\w./:-]+$`)

// applyChange changes a setting, name=value. A word may lack the quotes of TOML, which shells treat
// differently: a value that is invalid without quotes is read again with them.
func applyChange(settings settings, change string) error {
	name, value, ok := strings.Cut(change, "=")
	if !ok {
		return fmt.Errorf("--set %s: want name=value", change)
	}
	name = strings.TrimSpace(name)
	decode := func(value string) error { return decodeSettings("--set "+change, []byte(name+" = "+value), settings) }
	err := decode(value)
	if value = strings.TrimSpace(value); err == nil || !word.MatchString(value) {
		return err
	}
	quoted := decode(strconv.Quote(value))
	if _, unreadable := errors.AsType[toml.ParseError](err); quoted == nil || unreadable {
		return quoted // which names an unknown setting, or the type of a known one
	}
	return err
}

// absolute makes paths of existing files absolute, so that a run can be continued in any folder.
func absolute(names ...*string) {
	for _, name := range names {
		path, err := filepath.Abs(*name)
		if _, missing := os.Stat(*name); err == nil && missing == nil {
			*name = path
		}
	}
}

// onlyIn are settings that one kind of training has, and the other has not.
var onlyIn = map[string]string{trainer.Pretrain: "label_smoothing", trainer.Meta: "episodes"}

// readRun applies the settings of the run to resume, which rank 0 reads for all.
func (f *trainingFlags) readRun(g cluster.Group, settings settings) (err error) {
	path := filepath.Join(f.out, settingsFile)
	var raw []byte
	if cluster.IsFirst(g) {
		raw, err = os.ReadFile(path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && f.config != "":
			err = nil
		case errors.Is(err, fs.ErrNotExist):
			err = fmt.Errorf("%s does not exist: leave out --resume to begin a run, or give the run's settings with --config", path)
		case err != nil:
			err = namedfile.Explain(err)
		}
	}
	if raw, err = cluster.FromLeader(g, raw, err); err != nil {
		return err
	}
	var all map[string]any
	if err := toml.Unmarshal(raw, &all); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for kind, setting := range onlyIn {
		if _, ok := all[setting]; ok && kind != f.kind {
			return fmt.Errorf("%s is a run of `train %s`: resume it with that command", f.out, kind)
		}
	}
	if err := decodeSettings(path, raw, settings); err != nil || len(raw) == 0 {
		return err
	}
	f.before = linesOf(settings)
	return nil
}

// linesOf returns settings as the lines of their file.
func linesOf(settings settings) (lines []string) {
	var text bytes.Buffer
	_ = toml.NewEncoder(&text).Encode(settings) // a Buffer has no errors
	for line := range strings.Lines(text.String()) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

// changes names the settings that differ from the resumed run, and the remedy, for an error.
func (f *trainingFlags) changes(settings settings) string {
	now := linesOf(settings)
	without := func(lines, others []string) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return slices.Contains(others, line) }), ", ")
	}
	is, was := without(now, f.before), without(f.before, now)
	what := "the settings are the same, so the images have changed: restore them"
	if is+was != "" {
		what = fmt.Sprintf("now %s; the run has %s: restore that", cmp.Or(is, "fewer"), cmp.Or(was, "fewer"))
	}
	return what + ", or begin a run in another folder"
}

// settings are the settings of pre-training or of meta-training.
type settings interface {
	WithoutStages() (number int, restore func())
	Prepare(context.Context, training.Reporter) (*training.Prepared, error)
}

// decodeSettings reads TOML over the existing settings. "stages.x = y" alone changes x in all stages. An unknown
// setting is an error.
func decodeSettings(name string, raw []byte, settings settings) error {
	stages, restore := settings.WithoutStages()
	if change, ok := bytes.CutPrefix(raw, []byte("stages.")); ok {
		restore()
		raw = bytes.Repeat(fmt.Appendf(nil, "[[stages]]\n%s\n", change), stages)
	}
	meta, err := toml.NewDecoder(bytes.NewReader(raw)).Decode(settings)
	if !meta.IsDefined("stages") {
		restore()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		restore() // the stages of a file can lack settings
		return fmt.Errorf("%s: no setting %s: %s", name, unknown[0], correct(unknown[0].String(), settings))
	}
	return nil
}

// correct returns the remedy for an unknown setting: the settings with a similar name, or else their list.
func correct(unknown string, settings settings) string {
	var text bytes.Buffer
	_ = toml.NewEncoder(&text).Encode(settings)
	meta, _ := toml.NewDecoder(&text).Decode(new(map[string]any))
	names := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, key := range meta.Keys() {
		names.AddCommand(&cobra.Command{Use: key.String(), SuggestFor: key[len(key)-1:], Run: func(*cobra.Command, []string) {}})
	}
	near := names.SuggestionsFor(unknown)
	if slices.Sort(near); len(near) > 0 {
		return fmt.Sprintf("did you mean %s?", strings.Join(slices.Compact(near), " or "))
	}
	return "https://github.com/deepemd/deepemd/tree/main/trainer#settings lists them all"
}

// run reads the settings and applies change to them. It then prepares the run, and trains. source is a
// part of settings.
func (f *trainingFlags) run(ctx context.Context, stdout, stderr io.Writer, settings settings, source *training.Pictures, change func()) (err error) {
	g := cluster.Of(ctx)
	held, err := f.lock(g)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	if err := f.read(g, settings, source); err != nil {
		return err
	}
	change()
	absolute(&source.Data, &source.Split)
	for i := range source.More {
		absolute(&source.More[i])
	}
	ready, err := settings.Prepare(ctx, training.Reporter{
		Tell:    func(line string) { fmt.Fprintln(stderr, line) },
		Show:    verb.ProgressOn(stderr),
		Dir:     f.out,
		Weights: flags.OwnWeights,
	})
	if f.resume && errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w (%s has the run's paths; --data, --split and --init change them)", err, filepath.Join(f.out, settingsFile))
	}
	if err != nil {
		return err
	}
	defer ready.Close()
	return f.train(ctx, stdout, stderr, ready.Trainer, settings)
}

// train runs a trainer until it ends or is stopped. It saves the settings when the trainer has
// accepted them.
func (f *trainingFlags) train(ctx context.Context, stdout, stderr io.Writer, trainer *training.Trainer, settings settings) error {
	watch, done := watchRun(trainer, stdout, stderr)
	watch.Start = func() error {
		if taken, all := trainer.Pixels(); taken == all { // with the settings of the file
			return nil
		}
		return atomicfile.Write(filepath.Join(f.out, settingsFile), func(w io.Writer) error { return toml.NewEncoder(w).Encode(settings) })
	}
	trainer.Watch, trainer.Dir = watch, f.out
	err := trainer.Run(ctx, f.resume)
	done()
	if skipped := trainer.Skipped(); len(skipped) > 0 {
		fmt.Fprintf(stdout, "Unreadable images that were replaced: %d\n", len(skipped))
		for _, r := range skipped {
			fmt.Fprintf(stdout, "  %s: %s\n", r.Skipped, r.Reason)
		}
	}
	unsaved, isUnsaved := errors.AsType[*training.UnsavedError](err) // without the context's error
	switch {
	case isUnsaved:
		return fmt.Errorf("ended at %v; %w; with more room, --resume --out %s continues from the last checkpoint", trainer, unsaved, f.out)
	case errors.Is(err, training.ErrSettings) && f.before != nil:
		return fmt.Errorf("%w: %s", err, f.changes(settings))
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("stopped at %v and saved: --resume --out %s continues", trainer, f.out)
	case errors.As(err, new(*data.Damaged)):
		return fmt.Errorf("%w; stopped at %v and saved: repair the file, or replace such images with --set corrupt=%s, and --resume --out %s continues", err, trainer, training.CorruptSkip, f.out)
	}
	if err == nil {
		_, err = fmt.Fprintf(stdout, "%s has finished: %v\n", f.out, trainer)
	}
	return err
}

// watchRun shows the progress of a run, and a line for every validation. done ends it.
func watchRun(trainer *training.Trainer, stdout, stderr io.Writer) (watch training.Hooks, done func()) {
	bar := verb.NewBar(stderr, "step")
	var estimate verb.TimeEstimate
	watch.Step = func(r training.Record, step, steps int) {
		done, total := trainer.Pixels() // later stages have larger images
		left := estimate.Text(time.Now(), done, total)
		bar.Set(step, steps, fmt.Sprintf("%s  epoch %.2f  %d px  loss %.3f  accuracy %.1f%%  %.0f img/s", left, r.Epoch, r.Size, r.Loss, 100*r.Accuracy, r.PerSecond)) // a narrow terminal cuts off the end
	}
	watch.Validated = func(r training.Record, best bool) {
		mark := ""
		if best {
			mark = "  best so far"
		}
		fmt.Fprintf(bar.Above(stdout), "epoch %.0f: validation %.2f%% ± %.2f%% after %.0f s of training%s\n", r.Epoch, 100*r.Validation, 100*r.Interval, r.Seconds, mark)
	}
	watch.Note = func(line string) { fmt.Fprintln(bar.Above(stderr), line) }
	return watch, bar.Done
}
