package cluster

import (
	"math"
	"time"
)

// Plan estimates what a step of training takes on several machines, from what it takes on one:
// before anybody rents them.
type Plan struct {
	Step      time.Duration // of one machine, with its part of the batch
	Window    float64       // share of the step in which gradients travel while the machine computes
	Bytes     float64       // of the gradients, as they travel
	Sums      int           // of statistics, in a step
	Bandwidth float64       // of a machine's network, bytes a second each way
	Latency   time.Duration // of a message
}

// Sum is what an all-reduce of the gradients takes on so many machines: in a ring each sends
// 2·(n−1)/n of the bytes, in 2·(n−1) messages (Patarasuk & Yuan, "Bandwidth Optimal All-reduce
// Algorithms for Clusters of Workstations", 2009).
func (p Plan) Sum(machines int) time.Duration {
	n := float64(machines)
	return seconds(2*(n-1)/n*p.Bytes/p.Bandwidth) + time.Duration(2*(machines-1))*p.Latency
}

// On is the time of a step on so many machines: the step of one, what of the sum finds nothing
// to hide behind, and the sums of statistics, each of which is as many messages one after the
// other as the number of machines has bits.
func (p Plan) On(machines int) time.Duration {
	if machines == 1 {
		return p.Step
	}
	hidden := time.Duration(p.Window * float64(p.Step))
	rounds := time.Duration(math.Ceil(math.Log2(float64(machines))))
	return p.Step + max(0, p.Sum(machines)-hidden) + time.Duration(p.Sums)*rounds*p.Latency
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
