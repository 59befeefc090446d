package learner_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network/resnet12s"
)

// Two classes are taught by three pictures each, then another picture is
// classified. The README links to this program.
func Example() {
	l, err := learner.OpenWith(resnet12s.Weights(), learner.Options{Kit: learner.CommonParts()})
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"cat-1", "cat-2", "cat-3", "banana-1", "banana-2", "banana-3"} {
		label, _, _ := strings.Cut(name, "-")
		if err := l.Add(label, read(name+".jpg")); err != nil {
			log.Fatal(err)
		}
	}
	answer, err := l.Model().Classify(read("banana-4.jpg"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Label())
	// Output: banana
}

// read returns one of the pictures that the studio offers to try it with.
func read(name string) learner.Picture {
	file, err := os.ReadFile(filepath.Join("../../web/static/web/demo", name))
	if err != nil {
		log.Fatal(err)
	}
	return learner.Picture{Data: file} // JPEG, PNG or WebP
}
