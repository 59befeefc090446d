package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"github.com/deepemd/deepemd/core"
)

// manifest is a package.json.
type manifest struct {
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Private      bool              `json:"private,omitempty"`
	Description  string            `json:"description"`
	Keywords     []string          `json:"keywords,omitempty"`
	Homepage     string            `json:"homepage"`
	Bugs         string            `json:"bugs"`
	Repository   repository        `json:"repository"`
	License      string            `json:"license"`
	Type         string            `json:"type"`
	Main         string            `json:"main"`
	Types        string            `json:"types"`
	Exports      json.RawMessage   `json:"exports"` // the order matters
	SideEffects  json.RawMessage   `json:"sideEffects"`
	Engines      map[string]string `json:"engines,omitempty"`
	Dependencies map[string]string `json:"dependencies,omitempty"`
}

type repository struct {
	Type      string `json:"type"`
	URL       string `json:"url"`
	Directory string `json:"directory"`
}

// readManifest returns the manifest of package deepemd from its source, which is private, as a public
// one.
func (s *folder) readManifest() (manifest, error) {
	var m manifest
	text, err := os.ReadFile(s.source("package.json"))
	if err != nil {
		return m, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&m); err != nil {
		return m, fmt.Errorf("%s/package.json: %w: add the field to the build's manifest", npm, err)
	}
	m.Private, m.Version = false, core.Version
	return m, nil
}

// manifest returns the package.json of package deepemd, with the given dependencies.
func (s *folder) manifest(dependencies ...string) ([]byte, error) {
	m, err := s.readManifest()
	if err != nil {
		return nil, err
	}
	for _, name := range dependencies {
		if m.Dependencies == nil {
			m.Dependencies = map[string]string{}
		}
		m.Dependencies[name] = core.Version
	}
	return literal(m)
}
