package learner_test

import (
	"fmt"
	"log"

	"github.com/deepemd/deepemd/core/learner"
)

// A learner of features classifies any data that the caller can describe by features. Here it
// classifies sentences, with one node for each of four words.
func ExampleNewFromFeatures() {
	l, err := learner.NewFromFeatures(learner.Shape{Name: "my-words", Nodes: 4, Channels: 8}, learner.Options{Kit: learner.CommonParts()})
	if err != nil {
		log.Fatal(err)
	}
	for label, sentence := range map[string]string{"weather": "rain falls all day", "food": "soup needs more salt"} {
		if err := l.Add(label, learner.Picture{Embedding: words(sentence)}); err != nil {
			log.Fatal(err)
		}
	}
	answer, err := l.Model().Classify(learner.Picture{Embedding: words("today rain falls again")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Scores[0].Label)
	// Output: weather
}

// words returns a node for each word, as a language model would.
func words(sentence string) []float32 {
	var nodes []float32
	node := make([]float32, 8)
	for _, letter := range sentence + " " {
		if letter == ' ' {
			nodes = append(nodes, node...)
			clear(node)
			continue
		}
		node[int(letter)%8]++
		node[int(letter)/4%8]++
	}
	return nodes
}
