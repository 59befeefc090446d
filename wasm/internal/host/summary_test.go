package host

import (
	"bytes"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/wasm/internal/protocol"
)

// An embedding has a summary where the network gives one: galleries choose by it.
func TestSummaries(t *testing.T) {
	var transformer bytes.Buffer
	require.NoError(t, networktest.Transformer().Encode(&transformer, weights.F32))
	for name, file := range map[string][]byte{"a transformer": transformer.Bytes(), "a ResNet": smallWeights(t)} {
		host := new(Host)
		must[*protocol.Started](t, host, &protocol.Init{Weights: file})
		reply := must[*protocol.Embedding](t, host, &protocol.Embed{Shown: seeing(red)})
		want := 0
		if name == "a transformer" {
			want = reply.Channels
		}
		if len(reply.Summary) != want {
			t.Errorf("%s summarises a picture in %d values, want %d", name, len(reply.Summary), want)
		}
	}
}
