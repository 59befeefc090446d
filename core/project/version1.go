package project

import (
	"cmp"
	"encoding/json"

	"github.com/deepemd/deepemd/core/method"
)

// settings1 are the settings of version 1, by their names in the file. The studio
// wrote some that were never described.
type settings1 struct {
	Embedder    *method.Embedder `json:"embedder"`
	Classifier  string           `json:"classifier"`
	Weighting   string           `json:"weighting"`
	Solver      string           `json:"solver"`
	Temperature float64          `json:"temperature"`
	Unknown     *bool            `json:"unknown"`
	Strictness  *float64         `json:"strictness"`
}

// described1 are the settings that become the method; nothing ever read
// "threshold".
var described1 = []string{"embedder", "classifier", "weighting", "solver", "temperature", "unknown", "strictness", "threshold"}

// upgrade turns a manifest of version 1 into one of the present version: its
// settings become the method, unknown settings become extensions.
func (m *Manifest) upgrade(settings json.RawMessage) error {
	m.Version = Version
	m.Method = method.Implied()
	if m.Network != nil {
		m.Method.Embedder = m.Network.Embedder.Complete()
	}
	if settings == nil {
		return nil
	}
	var s settings1
	var all map[string]json.RawMessage
	if err := json.Unmarshal(settings, &s); err != nil {
		return Damaged("settings: %v", err)
	}
	if err := json.Unmarshal(settings, &all); err != nil {
		return Damaged("settings: %v", err)
	}
	for _, name := range described1 {
		delete(all, name)
	}
	if len(all) > 0 {
		m.Extensions = all
	}
	chosen := m.Method
	chosen.Classifier = cmp.Or(s.Classifier, chosen.Classifier)
	chosen.Weighting = cmp.Or(s.Weighting, chosen.Weighting)
	chosen.Solver = cmp.Or(s.Solver, chosen.Solver)
	chosen.Temperature = cmp.Or(s.Temperature, chosen.Temperature)
	if s.Embedder != nil {
		chosen.Embedder = s.Embedder.Complete()
	}
	if s.Unknown != nil {
		chosen.Strangers.Name = *s.Unknown
	}
	if s.Strictness != nil {
		chosen.Strangers.Strictness = min(max(*s.Strictness, 0), 1)
	}
	m.Method = chosen
	return nil
}
