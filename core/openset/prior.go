package openset

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/core/method"
)

// Prior describes the scores of classes without left-out examples. All values except the
// weights are in logits at the usual temperature, method.Temperature. Levels grow in
// proportion to log2 k with the number k of examples, because a prototype of more examples
// is more similar to every image of its class.
type Prior struct {
	// Own is the mean score of a picture against its own class at k = 1,
	// OwnGrowth its change with each doubling of k.
	Own, OwnGrowth float64
	// Others is the mean score against another class at k = 1, OthersGrowth its change
	// with each doubling.
	Others, OthersGrowth float64
	// Threshold is the calibrated score (see Calibration) with equal error rates at k = 1:
	// it rejects the same share of known images as it accepts of unknown images.
	// ThresholdGrowth is its change with each doubling.
	Threshold, ThresholdGrowth float64
	// Known and Unknown are the distributions of calibrated scores at k = 1.
	Known, Unknown Normal
	// Way is the number of classes that Unknown was measured with; 0 if Unknown holds for any number.
	Way int
	// ClassWeight and ThresholdWeight are the prior's weights in the level of a class and in
	// the threshold, in left-out examples.
	ClassWeight, ThresholdWeight float64
	// Reach is the distance of the thresholds at strictness 0 and 1 from the balanced one, about two
	// standard deviations of the calibrated scores; 0 if the strictness has no effect.
	Reach float64
	// Depth is the largest distance of the default threshold below the mean score of the left-out
	// examples if there are two classes; 0 if unlimited.
	Depth float64
}

// shortest is the smallest factor of Prior.scaled.
const shortest = 0.05

// scaled returns the prior for classes with the given mean score of one against another, and mean
// number of doublings of their examples. Among similar images, such as hands in front of one wall, one
// factor shortens the distances of all scores from the highest one, method.Temperature. Deviations
// shrink with its root. Unequal classes tell nothing about unknown images, so the threshold does not fall.
func (p Prior) scaled(others, doublings float64) Prior {
	const top = method.Temperature
	by := max((top-others)/(top-p.Others-p.OthersGrowth*doublings), shortest)
	p.Own, p.OwnGrowth = top-by*(top-p.Own), by*p.OwnGrowth
	p.Others, p.OthersGrowth = top-by*(top-p.Others), by*p.OthersGrowth
	by = min(by, 1)
	root := math.Sqrt(by)
	p.Threshold, p.ThresholdGrowth = by*p.Threshold, by*p.ThresholdGrowth
	p.Known = Normal{by * p.Known.Mean, root * p.Known.Deviation}
	p.Unknown = Normal{by * p.Unknown.Mean, root * p.Unknown.Deviation}
	p.Reach, p.Depth = root*p.Reach, root*p.Depth
	return p
}

// among returns the prior for a number of classes: the more classes, the higher the best score of an unknown image.
func (p Prior) among(classes int) Prior {
	if p.Way > 0 {
		p.Unknown.Mean += p.Unknown.Deviation * (highest(classes) - highest(p.Way))
	}
	return p
}

// Normal is a normal distribution.
type Normal struct{ Mean, Deviation float64 }

// Above returns the share of the distribution above a value.
func (n Normal) Above(value float64) float64 {
	return math.Erfc((value-n.Mean)/(n.Deviation*math.Sqrt2)) / 2
}

func (n Normal) variance() float64 { return n.Deviation * n.Deviation }

// HeldOut is the prior of the project's network with the embedder fcn. It was measured with
// resnet12-s-150 on the 20 validation classes of Tiny ImageNet, which the network was not
// trained on:
//
//	deepemd eval --data tiny-imagenet.zip --split tiny-imagenet.json --set val --seed 1 --unknown \
//	  --weights trainer/results/weights/resnet12-s-150.safetensors --shot K
//
// prints the levels for each K. The prior is a linear fit in log2 K over K = 1, 2, 3, 5, 10
// and 20. The class weight and the depth were chosen on the validation classes of Tiny ImageNet and CIFAR-FS,
// the depth also on the studio's demo.
var HeldOut = Prior{
	Own: 3.86, OwnGrowth: 0.33,
	Others: 2.34, OthersGrowth: -0.02,
	Threshold: -0.12, ThresholdGrowth: -0.1,
	Known: Normal{0.36, 1}, Unknown: Normal{-0.29, 0.89}, Way: 5,
	ClassWeight: 10, ThresholdWeight: 20,
	Reach: 2.5, Depth: 1.3,
}

// HeldOutSounds is the prior of the project's network for sounds. It was measured like
// HeldOut on the spoken digits 0 to 4, with speakers and words that the network was not
// trained on. The values are between the results with and without --apart, which keeps the
// speakers of examples and queries apart:
//
//	deepemd eval --sound --data spoken-digits.zip --split digits.json --set val [--apart _] --seed 1 --unknown \
//	  --way 2 --query 8 --shot K
//
// where digits.json is {"train": [], "val": ["0", "1", "2", "3", "4"], "test": ["5", "6", "7", "8", "9"]}.
var HeldOutSounds = Prior{
	Own: 5.36, OwnGrowth: 0.62,
	Others: 2.22, OthersGrowth: 0.16,
	Threshold: -1.38, ThresholdGrowth: -0.4,
	Known: Normal{0.05, 2.05}, Unknown: Normal{-2.39, 1.48}, Way: 2,
	ClassWeight: 5, ThresholdWeight: 20,
	Reach: 2.5,
}

// PriorKey is the key of a network's prior in the metadata of a weights file, see ParsePrior.
const PriorKey = "prior"

// mostDoublings exceeds the doublings of the most examples of a project, 100,000.
const mostDoublings = 17

// ParsePrior reads the prior of a network: Own, OwnGrowth, Others, OthersGrowth, Threshold,
// ThresholdGrowth, mean and deviation of Known and of Unknown, separated by commas. The other
// values are HeldOut's, so Unknown must be measured with its number of classes, 5.
//
// It returns an error for another number of values, values that are not finite, deviations that are
// not positive, and others that reach method.Temperature, the highest score.
func ParsePrior(text string) (Prior, error) {
	p := HeldOut
	var v [10]float64
	parts := strings.Split(text, ",")
	if len(parts) != len(v) {
		return p, fmt.Errorf("prior %.80q: want %d numbers, separated by commas", text, len(v))
	}
	for i, part := range parts {
		var err error
		if v[i], err = strconv.ParseFloat(strings.TrimSpace(part), 64); err != nil || v[i]-v[i] != 0 {
			return p, fmt.Errorf("prior %.80q: %.20q is no finite number", text, part)
		}
	}
	p.Own, p.OwnGrowth, p.Others, p.OthersGrowth, p.Threshold, p.ThresholdGrowth = v[0], v[1], v[2], v[3], v[4], v[5]
	p.Known, p.Unknown = Normal{v[6], v[7]}, Normal{v[8], v[9]}
	if p.Known.Deviation <= 0 || p.Unknown.Deviation <= 0 {
		return p, fmt.Errorf("prior %.80q: want positive deviations", text)
	}
	if max(p.Others, p.Others+mostDoublings*p.OthersGrowth) >= method.Temperature {
		return p, fmt.Errorf("prior %.80q: want scores of others below %v, also with %v times their growth", text, method.Temperature, mostDoublings)
	}
	return p, nil
}

// growth returns the number of doublings from one example to k.
func growth(k float64) float64 { return math.Log2(k) }
