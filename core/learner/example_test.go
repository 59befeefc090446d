package learner_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network"
)

// The files of the folder are named after their classes. The first three of each class are the
// examples, and a model classifies the others. web/docs/embed.md links to this program.
func Example() {
	l, err := learner.Open(network.ResNet12PhotoWeights())
	if err != nil {
		log.Fatal(err)
	}
	const folder = "../../web/static/web/demo"
	for _, file := range files(folder, "*-[123].jpg") {
		label, _, _ := strings.Cut(filepath.Base(file), "-")
		if err := l.Add(label, picture(file)); err != nil {
			log.Fatal(file, err)
		}
	}
	model := l.Model() // safe for concurrent use, and not affected by later changes
	for _, file := range files(folder, "*-4.jpg") {
		answer, err := model.Classify(picture(file))
		if err != nil {
			log.Fatal(file, err)
		}
		fmt.Println(filepath.Base(file), answer.Label())
	}
	// Output:
	// apple-4.jpg apple
	// banana-4.jpg banana
	// cat-4.jpg cat
	// orange-4.jpg orange
}

func files(folder, pattern string) []string {
	list, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil {
		log.Fatal(err)
	}
	return list
}

func picture(file string) learner.Picture {
	data, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	return learner.Picture{Data: data}
}
