package cluster_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/require"
)

// plan estimates the duration of a training step on several machines from that on one.
type plan struct {
	Step      time.Duration // on one machine, with its part of the batch
	Window    float64       // share of the step in which gradients can be sent during computation
	Bytes     float64       // of the gradients as sent
	Sums      int           // sums of statistics in a step
	Bandwidth float64       // of a machine's network, in bytes per second and direction
	Latency   time.Duration // of a message
}

// sum returns the duration of an all-reduce of the gradients on n machines: in a ring, each sends
// 2·(n−1)/n of the bytes in 2·(n−1) messages (Patarasuk & Yuan, "Bandwidth Optimal All-reduce
// Algorithms for Clusters of Workstations", 2009).
func (p plan) sum(machines int) time.Duration {
	n := float64(machines)
	return seconds(2*(n-1)/n*p.Bytes/p.Bandwidth) + time.Duration(2*(machines-1))*p.Latency
}

// on returns the duration of a step on n machines: the computation, the part of the sum outside the
// window, and the sums of statistics, each with ⌈log₂ n⌉ consecutive messages.
func (p plan) on(machines int) time.Duration {
	if machines == 1 {
		return p.Step
	}
	hidden := time.Duration(p.Window * float64(p.Step))
	rounds := time.Duration(math.Ceil(math.Log2(float64(machines))))
	return p.Step + max(0, p.sum(machines)-hidden) + time.Duration(p.Sums)*rounds*p.Latency
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// paper returns the guide's example: a full-width ResNet-12 at 32 px processes 343 images per second in
// bfloat16 on two cores (RESULTS.md), and has 12.4 million gradients. The backward pass takes two
// thirds of a step, 71% of it after block 4, which has three quarters of the bytes. Each of its 16
// normalizations sums twice.
func paper(batch int, gbits float64) plan {
	return plan{
		Step: time.Duration(float64(batch) / 343 * float64(time.Second)), Window: 2.0 / 3 * 0.71, Bytes: 12.4e6 * 4,
		Sums: 2 * 16, Bandwidth: gbits / 8 * 1e9, Latency: 50 * time.Microsecond,
	}
}

// table returns the guide's table.
func table() string {
	var text strings.Builder
	machines := []int{1, 2, 4, 8, 16, 32, 64}
	line := func(name string, at func(n int) plan, batch func(n int) int) {
		fmt.Fprintf(&text, "| %s |", name)
		one := float64(batch(1)) / at(1).on(1).Seconds()
		for _, n := range machines[1:] {
			step := at(n).on(n)
			fmt.Fprintf(&text, " %d ms, %.1f× |", step.Milliseconds(), float64(batch(n))/step.Seconds()/one)
		}
		text.WriteString("\n")
	}
	grows := func(n int) int { return 128 * n }
	stays := func(int) int { return 128 }
	for _, gbits := range []float64{1, 10, 25} {
		line(fmt.Sprintf("128 images each, %g Gbit/s", gbits), func(int) plan { return paper(128, gbits) }, grows)
	}
	line("the same at 1 Gbit/s, as bfloat16", func(int) plan {
		p := paper(128, 1)
		p.Bytes /= 2
		return p
	}, grows)
	line("128 images in all, 25 Gbit/s", func(n int) plan { return paper(128/n, 25) }, stays)
	return text.String()
}

// TestPlan: the guide contains the plan, a single machine does not communicate, and more machines
// never shorten a step.
func TestPlan(t *testing.T) {
	guide := require.Value(os.ReadFile("../../web/docs/cluster.md"))(t)
	if !strings.Contains(string(guide), table()) {
		t.Errorf("web/docs/cluster.md lacks the plan:\n%s", table())
	}
	p := paper(128, 1)
	last := p.on(1)
	if last != p.Step {
		t.Errorf("a step of one machine takes %v, want %v", last, p.Step)
	}
	for n := 2; n <= 64; n++ {
		if p.on(n) < last {
			t.Errorf("%d machines take %v, fewer %v", n, p.on(n), last)
		}
		last = p.on(n)
	}
}

// TestScripts: the shell takes the script of Slurm.
func TestScripts(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	if out, err := exec.Command(bash, "-n", "../../docs/cluster/slurm.sh").CombinedOutput(); err != nil {
		t.Errorf("../../docs/cluster/slurm.sh: %v\n%s", err, out)
	}
}
