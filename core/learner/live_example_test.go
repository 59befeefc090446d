package learner_test

import (
	"context"
	"fmt"
	"log"
	"sync"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network"
)

// One goroutine teaches, and learns in the background. Others classify the frames of cameras with the
// latest model, and do not wait until it has learned.
func ExampleModel_ClassifyLive() {
	l, err := learner.Open(network.ResNet12PhotoWeights())
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop() // ends Learn
	taught := make(chan string)
	var teacher, cameras sync.WaitGroup
	teacher.Go(func() {
		for label := range taught {
			frame := picture("../../web/static/web/demo/" + label + "-1.jpg")
			if err := l.Add(label, frame); err != nil {
				log.Println(err)
			} else if err := l.Model().Learn(ctx, nil); err != nil {
				log.Println(err)
			}
		}
	})
	taught <- "apple"
	taught <- "cat"
	close(taught)
	teacher.Wait() // only for the output below

	for _, file := range []string{"apple-2", "cat-2"} {
		cameras.Go(func() {
			answer, err := l.Model().ClassifyLive(picture("../../web/static/web/demo/" + file + ".jpg"))
			if err != nil {
				log.Println(err)
				return
			}
			fmt.Println(file, answer.Label())
		})
	}
	cameras.Wait()
	// Unordered output:
	// apple-2 apple
	// cat-2 cat
}
