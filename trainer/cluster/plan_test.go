package cluster_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/trainer/cluster"
)

// paper is what the guide plans with: a ResNet-12 of full width at 32 px takes 343 pictures a
// second in bfloat16 on two cores (RESULTS.md), and has 12.4 million gradients. Two thirds of a
// step are the backward pass, 71% of it behind block 4, which has three quarters of the bytes.
// Each of its 16 normalisations sums twice.
func paper(batch int, gbits float64) cluster.Plan {
	return cluster.Plan{
		Step: time.Duration(float64(batch) / 343 * float64(time.Second)), Window: 2.0 / 3 * 0.71, Bytes: 12.4e6 * 4,
		Sums: 2 * 16, Bandwidth: gbits / 8 * 1e9, Latency: 50 * time.Microsecond,
	}
}

// table is the plan of the guide, as it has it.
func table() string {
	var text strings.Builder
	machines := []int{1, 2, 4, 8, 16, 32, 64}
	line := func(name string, plan func(n int) cluster.Plan, batch func(n int) int) {
		fmt.Fprintf(&text, "| %s |", name)
		one := float64(batch(1)) / plan(1).On(1).Seconds()
		for _, n := range machines[1:] {
			step := plan(n).On(n)
			fmt.Fprintf(&text, " %d ms, %.1f× |", step.Milliseconds(), float64(batch(n))/step.Seconds()/one)
		}
		text.WriteString("\n")
	}
	grows := func(n int) int { return 128 * n }
	stays := func(int) int { return 128 }
	for _, gbits := range []float64{1, 10, 25} {
		line(fmt.Sprintf("128 images each, %g Gbit/s", gbits), func(int) cluster.Plan { return paper(128, gbits) }, grows)
	}
	line("the same at 1 Gbit/s, as bfloat16", func(int) cluster.Plan {
		p := paper(128, 1)
		p.Bytes /= 2
		return p
	}, grows)
	line("the same at 1 Gbit/s, local_sgd = 16", func(int) cluster.Plan {
		p := paper(128, 1)
		p.Bytes, p.Window, p.Sums = p.Bytes*3/16, 0, 0 // weights, momentum and average
		return p
	}, grows)
	line("128 images in all, 25 Gbit/s", func(n int) cluster.Plan { return paper(128/n, 25) }, stays)
	return text.String()
}

// TestPlan: the guide says what the plan gives, one machine waits for nobody, and more of them
// never take a shorter step.
func TestPlan(t *testing.T) {
	guide, err := os.ReadFile("../../web/docs/cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(guide), table()) {
		t.Errorf("web/docs/cluster.md lacks the plan:\n%s", table())
	}
	p := paper(128, 1)
	last := p.On(1)
	if last != p.Step {
		t.Errorf("a step of one machine takes %v, want %v", last, p.Step)
	}
	for n := 2; n <= 64; n++ {
		if p.On(n) < last {
			t.Errorf("%d machines take %v, fewer %v", n, p.On(n), last)
		}
		last = p.On(n)
	}
}

// A gradient of 50 MB on a network of 1 Gbit/s.
func ExamplePlan() {
	p := cluster.Plan{Step: 373 * time.Millisecond, Window: 0.47, Bytes: 50e6, Bandwidth: 125e6}
	for _, n := range []int{1, 2, 64} {
		fmt.Println(n, p.Sum(n).Round(time.Millisecond), p.On(n).Round(time.Millisecond))
	}
	// Output:
	// 1 0s 373ms
	// 2 400ms 598ms
	// 64 788ms 985ms
}
