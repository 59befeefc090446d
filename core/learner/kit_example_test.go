package learner_test

import (
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
)

// A program with its own kit links only the parts of this kit. The kit contains the classifier
// of the published method.
func ExampleKit() {
	kit := learner.CommonParts()
	kit.Classifiers = map[string]func(learner.Settings) fewshot.Classifier{
		method.Prototype: func(s learner.Settings) fewshot.Classifier {
			return &fewshot.Prototype{Matcher: s.Matcher, Balance: s.Balance}
		},
	}
	classifier, err := kit.Classifier(method.Paper(), learner.Tuning{})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = classifier.Fit([]fewshot.Class{{Name: "mug", Support: []*embed.Set{{N: 1, C: 2, Data: []float32{4, 1}}}}})
	fmt.Printf("%T %v\n", classifier, err)
	// Output: *fewshot.Prototype <nil>
}
