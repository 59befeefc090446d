//go:build !js

package studio_test

import (
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// A project opens with the page's network that taught it, from a file and on the next visit. A click
// changes it to the page's usual network for good, and other projects have the usual network.
func TestProjectKeepsItsNetwork(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	file := written(t, "discs.deepemd", studiotest.DiscsOf(t, method.Default(), network.ResNet12XSWeights()))
	s.OpenDialog("#open-projects", "#projects")
	s.Upload("#open-file", file)
	s.WaitCount(".thumbnail", 8)
	said := s.told("It opens with " + network.ResNet12XS)
	if !strings.Contains(said, network.ResNet12Photo) || !strings.Contains(said, "Use default network") {
		t.Errorf("it says %q", said)
	}
	s.Knows(8)
	before := s.answers()
	if name := s.facts(); name != network.ResNet12XS {
		t.Errorf("%s answers", name)
	}
	s.IsKept()
	s.experts()
	if now := s.Text("#network-now"); now != network.ResNet12XS+", which taught this project" {
		t.Errorf("the network is %q", now)
	}
	s.leave()

	s.Revisit()
	s.WaitCount(".thumbnail", 8)
	s.told("It opens with " + network.ResNet12XS)
	s.Knows(8)
	if name := s.facts(); name != network.ResNet12XS || !near(before, s.answers()) {
		t.Errorf("on the next visit %s answers %v, want %v", name, s.answers(), before)
	}
	s.Click(`.message[data-key=network] .plain`)
	s.WaitFor(`!document.querySelector(".message[data-key=network]") && studio.engine.then((e) => e.info.name === "` + network.ResNet12Photo + `")`)
	s.Knows(8)
	s.IsKept()
	after := s.answers()
	if near(before, after) {
		t.Error("another network gives the same answers")
	}

	s.Revisit()
	s.WaitCount(".thumbnail", 8)
	s.Knows(8)
	if name := s.facts(); name != network.ResNet12Photo || !near(after, s.answers()) || s.Count(".message[data-key=network]") != 0 {
		t.Errorf("after the choice %s answers %v, want %v; it says %q", name, s.answers(), after, s.Text(".messages"))
	}
	s.Quiet()
}
