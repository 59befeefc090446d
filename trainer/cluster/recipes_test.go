package cluster_test

import (
	"os/exec"
	"testing"
)

// TestScripts: the shell takes the script of Slurm.
func TestScripts(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	if out, err := exec.Command(bash, "-n", "recipes/slurm.sh").CombinedOutput(); err != nil {
		t.Errorf("recipes/slurm.sh: %v\n%s", err, out)
	}
}
