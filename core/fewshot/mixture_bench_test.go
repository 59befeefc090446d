package fewshot_test

import (
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/internal/require"
)

// BenchmarkMixture measures Learn of the mixture and of its head, with 5 classes, 40 examples
// per class, and sets of 25×320.
func BenchmarkMixture(b *testing.B) {
	var classes []fewshot.Class
	for i := range 5 {
		class := fewshot.Class{Name: string(rune('a' + i))}
		for k := range 40 {
			set := &embed.Set{N: 25, C: 320, Data: make([]float32, 25*320)}
			for j := range set.Data {
				set.Data[j] = float32((j*7+i*131)%97+(j*13+k*71+i*29)%89) / 97
			}
			class.Support = append(class.Support, set)
		}
		classes = append(classes, class)
	}
	for name, make := range map[string]func() fewshot.Classifier{
		"mixture":   func() fewshot.Classifier { return new(fewshot.Mixture) },
		"head":      func() fewshot.Classifier { return new(fewshot.RidgeHead) },
		"prototype": func() fewshot.Classifier { return new(fewshot.Prototype) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				c := make()
				require.NoError(b, c.Fit(classes))
				require.Value(c.Scores(nil, classes[0].Support[0]))(b)
			}
		})
	}
}
