package training

import (
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
)

// A card that is named must exist; auto does without. The processor computes other networks.
func TestOnCard(t *testing.T) {
	f := networktest.ResNet12([]int{4, 4, 4, 4}, 32, 1)
	for _, setting := range []string{"cuda:99", "cuda:-1", "gpu"} {
		if _, _, err := OnCard(t.Context(), setting, f); err == nil || !strings.Contains(err.Error(), setting) {
			t.Errorf("%s: %v", setting, err)
		}
	}
	if net, _, err := OnCard(t.Context(), CPU, f); net != nil || err != nil {
		t.Errorf("cpu: %v, %v", net, err)
	}
	net, name, err := OnCard(t.Context(), "", f)
	require.NoError(t, err)
	if (net != nil) != strings.HasPrefix(name, "cuda:0") {
		t.Errorf("auto: %v on %q", net, name)
	}
	if net, _, err := OnCard(t.Context(), "cuda:0", networktest.MobileNet()); net != nil || err != nil {
		t.Errorf("a MobileNet: %v, %v", net, err)
	}
}
