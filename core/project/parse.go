package project

import (
	"encoding/json"

	"github.com/deepemd/deepemd/core/method"
)

// ParseManifest reads and validates a manifest, and brings one of an earlier
// version up to date.
//
// Errors wrap ErrForeign, ErrNewer or ErrDamaged.
func ParseManifest(text []byte) (Manifest, error) {
	// A newer version may have changed the rest beyond recognition.
	var head struct {
		Format   string          `json:"format"`
		Version  int             `json:"version"`
		Settings json.RawMessage `json:"settings"` // of version 1
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return Manifest{}, Damaged("manifest.json: %v", err)
	}
	m := Manifest{Format: head.Format, Version: head.Version, Kind: KindImage}
	if head.Format != Format || head.Version > Version {
		return Manifest{}, m.Validate()
	}
	m = Manifest{Method: method.Implied()} // a setting that is absent is the implied one
	if err := json.Unmarshal(text, &m); err != nil {
		return Manifest{}, Damaged("manifest.json: %v", err)
	}
	m.Method.Embedder = m.Method.Embedder.Complete()
	if m.Version == 1 {
		if err := m.upgrade(head.Settings); err != nil {
			return Manifest{}, err
		}
	}
	return m, m.Validate()
}
