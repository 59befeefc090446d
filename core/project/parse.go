package project

import (
	"encoding/json"

	"github.com/deepemd/deepemd/core/method"
)

// ParseManifest reads and validates a manifest. Settings that its method leaves out have
// their defaults.
//
// Errors wrap ErrForeign, ErrNewer or ErrDamaged.
func ParseManifest(text []byte) (Manifest, error) {
	// A newer version may have changed the rest beyond recognition.
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return Manifest{}, Damaged("manifest.json: %v", err)
	}
	m := Manifest{Format: head.Format, Version: head.Version, Kind: KindImage}
	if head.Format != Format || head.Version > Version {
		return Manifest{}, m.Validate()
	}
	m = Manifest{Method: method.Default()}
	if err := json.Unmarshal(text, &m); err != nil {
		return Manifest{}, Damaged("manifest.json: %v", err)
	}
	if m.Method.Classifier == method.SFC {
		m.Method.Classifier += ":0.1" // the rate of programs that wrote none
	}
	m.Method.Embedder = m.Method.Embedder.Complete()
	return m, m.Validate()
}
