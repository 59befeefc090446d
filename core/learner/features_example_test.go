package learner_test

import (
	"fmt"
	"log"

	"github.com/deepemd/deepemd/core/learner"
)

// Features of another network, or of anything else, are matched without a network:
// here sentences, one node for each of four words.
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

// words makes a node of each word: a stand-in for a network that knows what words mean.
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
