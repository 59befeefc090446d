package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/core/parts"
)

// demo holds pictures of four things, five of each: "cat-1.jpg".
const demo = "web/static/web/demo"

// warm is how many answers Node gives before they count: its compiler works on what runs often.
const warm = 100

// inNode measures what a program for Node waits for an answer, beside the learner that the
// native command asks: the same files, from the disk.
func inNode(b *bench) error {
	if _, err := exec.LookPath("node"); err != nil {
		b.peerNotes["Node, so nothing is measured"] = err.Error()
		return nil
	}
	things, err := classes()
	if err != nil {
		return err
	}
	defer os.RemoveAll(things)
	query := filepath.Join(demo, "banana-5.jpg")

	native, err := learner.Open(resnet12s.Weights(), learner.Options{Kit: parts.Common(), Threads: 1})
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(things, "*", "*"))
	if err != nil {
		return err
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := native.Teach(filepath.Base(filepath.Dir(path)), learner.Picture{Data: data}); err != nil {
			return err
		}
	}
	natively := func() (float64, error) {
		return timed(func() error {
			data, err := os.ReadFile(query)
			if err == nil {
				_, err = native.Classify(learner.Picture{Data: data})
			}
			return err
		})
	}

	node, err := speaking(exec.Command("node", "tools/bench/node/answers.mjs", filepath.Join(b.site, "deepemd")))
	if err != nil {
		return fmt.Errorf("node: %w: is the site built?", err)
	}
	defer node.stop()
	ask := node.measure(request{Path: query})
	if _, err := node.ask(request{Path: things}); err != nil {
		return err
	}
	for range warm {
		if _, err := ask.measure(); err != nil {
			return err
		}
	}
	what := "a picture answered in " + node.name + ", one thread"
	return b.against(what, ask.measure, nil, peerSide{name: "native, one thread", measure: natively})
}

// classes makes a folder with a folder of three pictures for each thing of the demo.
func classes() (string, error) {
	files, err := filepath.Glob(filepath.Join(demo, "*-[123].jpg"))
	if err != nil || len(files) == 0 {
		return "", fmt.Errorf("no pictures in %s: run this in the folder of the module (%w)", demo, err)
	}
	dir, err := os.MkdirTemp("", "deepemd-bench-")
	if err != nil {
		return "", err
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err == nil {
			thing, _, _ := strings.Cut(filepath.Base(path), "-")
			to := filepath.Join(dir, thing, filepath.Base(path))
			if err = os.MkdirAll(filepath.Dir(to), 0o755); err == nil {
				err = os.WriteFile(to, data, 0o600)
			}
		}
		if err != nil {
			os.RemoveAll(dir)
			return "", err
		}
	}
	return dir, nil
}
