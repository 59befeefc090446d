package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/CycloneDX/cyclonedx-go"

	"github.com/deepemd/deepemd/core/version"
	"github.com/deepemd/deepemd/tools/layering"
	"github.com/deepemd/deepemd/tools/thirdparty"
)

// bom writes the list of what is in the release, beside the site.
func (r *release) bom() error {
	data, err := encode(billOfMaterials(r.inventory, r.hashes, r.reference()))
	if err != nil {
		return err
	}
	name := title + ".cdx.json"
	if err := os.WriteFile(filepath.Join(r.out, name), data, 0o644); err != nil {
		return err
	}
	r.add(name, "what is in all of these, and what needs what: SBOM, CycloneDX 1.6")
	return nil
}

// own is the project's own reference.
const own = "pkg:golang/" + layering.Module + "@v" + version.Current

// billOfMaterials lists the programs with their hashes, what they are made of, and which
// part needs which. It has no time and no number of its own: it follows from the source.
func billOfMaterials(inv thirdparty.Inventory, hashes map[string]string, reference bool) *cyclonedx.BOM {
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{Component: &cyclonedx.Component{
		BOMRef: own, Type: cyclonedx.ComponentTypeApplication, Name: "deepemd", Version: version.Current, PackageURL: own, Licenses: licences("MIT"),
		Description: "Few-shot recognition by optimal matching: the command, the site, the packages for npm",
	}}
	var components []cyclonedx.Component
	needs := map[string][]string{own: nil}
	for _, p := range inv.Programs {
		ref := "program:" + strings.ReplaceAll(p.Name, " ", "/")
		components = append(components, cyclonedx.Component{
			BOMRef: ref, Type: cyclonedx.ComponentTypeApplication, Name: p.Name, Version: version.Current, Licenses: licences("MIT"),
			Hashes: sha256Of(hashes[p.Name]), Properties: in(p.In),
		})
		needs[own] = append(needs[own], ref)
		needs[ref] = p.Parts
	}
	for _, part := range inv.Parts {
		npm := strings.HasPrefix(part.Ref, "pkg:npm/") // of the reference
		if npm && !reference {
			continue
		}
		c := cyclonedx.Component{
			BOMRef: part.Ref, Type: kinds[part.Kind], Name: part.Name, Version: part.Version, Description: part.Note, Licenses: licences(part.Licence),
			Hashes: sha256Of(part.SHA256), Properties: in(part.In),
			ExternalReferences: &[]cyclonedx.ExternalReference{{Type: cyclonedx.ERTypeWebsite, URL: part.From}},
		}
		if strings.HasPrefix(part.Ref, "pkg:") {
			c.PackageURL = part.Ref
		}
		if part.Kind != thirdparty.Library || npm {
			needs[own] = append(needs[own], part.Ref) // no program links it
		}
		components = append(components, c)
		needs[part.Ref] = part.Needs
	}
	bom.Components = &components
	var dependencies []cyclonedx.Dependency
	for _, ref := range slices.Sorted(maps.Keys(needs)) {
		d := cyclonedx.Dependency{Ref: ref}
		if list := needs[ref]; len(list) > 0 {
			d.Dependencies = &list
		}
		dependencies = append(dependencies, d)
	}
	bom.Dependencies = &dependencies
	return bom
}

// kinds are what CycloneDX calls the kinds of parts.
var kinds = map[thirdparty.Kind]cyclonedx.ComponentType{
	thirdparty.Library: cyclonedx.ComponentTypeLibrary,
	thirdparty.Data:    cyclonedx.ComponentTypeData,
	thirdparty.Network: cyclonedx.ComponentTypeMachineLearningModel,
}

// licences is a licence as CycloneDX has it: an expression, an identifier, or a name for
// what SPDX does not know.
func licences(licence string) *cyclonedx.Licenses {
	switch {
	case strings.Contains(licence, " AND "):
		return &cyclonedx.Licenses{{Expression: licence}}
	case thirdparty.Identified(licence):
		return &cyclonedx.Licenses{{License: &cyclonedx.License{ID: licence}}}
	}
	return &cyclonedx.Licenses{{License: &cyclonedx.License{Name: licence}}}
}

func sha256Of(sum string) *[]cyclonedx.Hash {
	if sum == "" {
		return nil
	}
	return &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: sum}}
}

// in says in which products something is.
func in(products []thirdparty.Product) *[]cyclonedx.Property {
	var all []cyclonedx.Property
	for _, p := range products {
		all = append(all, cyclonedx.Property{Name: "deepemd:in", Value: string(p)})
	}
	return &all
}

func encode(bom *cyclonedx.BOM) ([]byte, error) {
	var out bytes.Buffer
	err := cyclonedx.NewBOMEncoder(&out, cyclonedx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false).EncodeVersion(bom, cyclonedx.SpecVersion1_6)
	return out.Bytes(), err
}
