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
	if out, err := exec.Command(bash, "-n", "../../docs/cluster/slurm.sh").CombinedOutput(); err != nil {
		t.Errorf("../../docs/cluster/slurm.sh: %v\n%s", err, out)
	}
}
