package main

import (
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/trainer/data"
)

const (
	balanceClasses = 20
	balanceShots   = 20
	balanceQueries = 10
)

// balance asks whether a class of one example holds its own against a class of
// twenty: for all pairs of classes, how many queries of the class with few examples
// are recognised, and of the one with many; beside pairs with one each.
func balance(b *bench) error {
	set, err := data.Open(b.pictures)
	if err != nil {
		b.peerNotes["pictures, so nothing is measured"] = fmt.Sprintf("%v: name others with -pictures", err)
		return nil
	}
	defer set.Close()
	classes := set.Classes()
	classes = classes[:min(len(classes), balanceClasses)]
	features, err := b.embedded(set, classes, balanceShots+balanceQueries)
	if err != nil {
		return err
	}
	sets := func(class string, from, to int) (list []*embed.Set) {
		for _, p := range set.Pictures(class)[from:to] {
			list = append(list, features[p.Name])
		}
		return list
	}
	for name, classifier := range map[string]fewshot.Classifier{
		"prototype": &fewshot.Prototype{Balance: true}, "prototype, not balanced": &fewshot.Prototype{}, "nearest": &fewshot.Nearest{},
	} {
		for _, many := range []int{1, balanceShots} {
			var right [2]int
			asked := 0
			for _, few := range classes {
				for _, other := range classes {
					if few == other {
						continue
					}
					err := classifier.Fit([]fewshot.Class{{Support: sets(few, 0, 1)}, {Support: sets(other, 0, many)}})
					if err != nil {
						return err
					}
					for side, class := range []string{few, other} {
						for _, query := range sets(class, balanceShots, balanceShots+balanceQueries) {
							scores, err := classifier.Scores(nil, query)
							if err != nil {
								return err
							}
							if (scores[1] > scores[0]) == (side == 1) {
								right[side]++
							}
						}
					}
					asked += balanceQueries
				}
			}
			of := func(side int) float64 { return 100 * float64(right[side]) / float64(asked) }
			b.row(fmt.Sprintf("1 : %d examples, %s", many, name), (of(0)+of(1))/2, "% right",
				fmt.Sprintf("of the class with one example %.1f%%, of the other %.1f%%", of(0), of(1)))
		}
	}
	return nil
}
