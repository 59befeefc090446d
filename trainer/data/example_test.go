package data_test

import (
	"fmt"

	"github.com/deepemd/deepemd/trainer/data"
)

func ExampleParseEpisodes() {
	file := `{"episodes_1shot": [{"support": ["fox/1.png", "owl/1.png"],
		"query": ["fox/2.png", "owl/2.png", "fox/3.png", "owl/3.png"]}]}`
	episodes, way, err := data.ParseEpisodes("episodes.json", []byte(file), 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, query := range episodes[0].Query {
		fmt.Println(query, "belongs with", episodes[0].Support[i%way])
	}
	// Output:
	// fox/2.png belongs with fox/1.png
	// owl/2.png belongs with owl/1.png
	// fox/3.png belongs with fox/1.png
	// owl/3.png belongs with owl/1.png
}
