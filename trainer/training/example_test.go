package training_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/deepemd/deepemd/trainer/training"
)

// A run that continues from step 20 forgets what its log says of later steps.
func ExampleOpenLog() {
	folder, err := os.MkdirTemp("", "run")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "log.jsonl")
	log, err := training.OpenLog(path, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range []int{20, 40} {
		if err := log.Add(training.Record{Step: step, Loss: 1 / float64(step)}); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := log.Close(); err != nil {
		fmt.Println(err)
		return
	}
	if log, err = training.OpenLog(path, 20); err != nil {
		fmt.Println(err)
		return
	}
	defer log.Close()
	for _, r := range log.Records() {
		fmt.Println(r.Step, r.Loss)
	}
	// Output: 20 0.05
}
