package main

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
)

const (
	cardSize  = 84
	cardBatch = 128
)

var (
	errNoCard = errors.New("package cuda finds none")
	cardSpeed = regexp.MustCompile(`([\d.]+) images/s`)
	cardNone  = regexp.MustCompile(`no card to measure: (.*)`)
)

// card times training steps on an NVIDIA card in bfloat16: forward, backward and optimizer. Ours copies
// the batch to the card at each step and has no classifier, the peer has both on the card.
func card(b *bench) error {
	if _, err := cardStep(); errors.Is(err, errNoCard) {
		b.peerNotes["a card, so nothing is measured"] = err.Error()
		return nil
	}
	torch := b.startPython("torch_peer.py", "PyTorch")
	defer torch.stop()
	peer := torch.measure(request{What: "train", Size: cardSize, Batch: cardBatch, Threads: trainingThreads, BFloat16: true, Device: "cuda"})
	if torch != nil && !torch.card {
		b.peerNotes[torch.name], peer = "it finds no card", peerSide{}
	}
	note := func(ms float64) string { return fmt.Sprintf("%.0f img/s", cardBatch/ms*1e3) }
	return b.against(fmt.Sprintf("%d px, batch %d, bfloat16", cardSize, cardBatch), cardStep, note, peer)
}

// cardStep returns the mean duration of a step in milliseconds, from the benchmark of package cuda.
func cardStep() (float64, error) {
	only := fmt.Sprintf("^BenchmarkStep$/^640_wide,_%d_px$", cardSize)
	out, err := exec.Command("go", "test", "-run", "^$", "-v", "-bench", only, "-benchtime", "50x", "./trainer/internal/cuda").CombinedOutput()
	if reason := cardNone.FindSubmatch(out); reason != nil {
		return 0, fmt.Errorf("%w: %s", errNoCard, reason[1])
	}
	speed := cardSpeed.FindSubmatch(out)
	if err != nil || speed == nil {
		return 0, fmt.Errorf("go test: %v: %s", err, out)
	}
	perSecond, err := strconv.ParseFloat(string(speed[1]), 64)
	return cardBatch / perSecond * 1e3, err
}
