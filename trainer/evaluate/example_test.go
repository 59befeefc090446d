package evaluate_test

import (
	"context"
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// Two episodes of two classes: their pictures were embedded before, by name.
func ExampleRun() {
	picture := func(values ...float32) *embed.Set { return &embed.Set{N: 1, C: 3, Data: values} }
	features := evaluate.Features{
		"cat1": picture(4, 1, 0), "cat2": picture(3, 1, 0),
		"dog1": picture(0, 1, 4), "dog2": picture(1, 1, 3),
	}
	episodes := []data.Episode{
		{Support: []string{"cat1", "dog1"}, Query: []string{"cat2", "dog2"}},
		{Support: []string{"cat2", "dog2"}, Query: []string{"cat1", "dog1"}},
	}
	result, err := evaluate.Run(context.Background(), features, episodes, evaluate.Config{
		Way: 2, Classifier: func() fewshot.Classifier { return new(fewshot.Prototype) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.0f%% ± %.0f%%\n", 100*result.Mean, 100*result.Interval)
	// Output: 100% ± 0%
}
