package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/CycloneDX/cyclonedx-go"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/deepemd/deepemd/tools/thirdparty"
)

const root = "../.."

var inventory = sync.OnceValues(func() (thirdparty.Inventory, error) { return thirdparty.Find(root) })

func found(t *testing.T) thirdparty.Inventory {
	t.Helper()
	inv, err := inventory()
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

// schema is the official one of CycloneDX 1.6, which the library carries for its own
// tests.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/CycloneDX/cyclonedx-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	for id, name := range map[string]string{
		"bom-1.6.schema.json": "bom-1.6.schema.json", "spdx.schema.json": "spdx.schema.json", "jsf-0.82.schema.json": "jsf-0.82.schemax.json",
	} {
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "schema", name))
		if err != nil {
			t.Fatal(err)
		}
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource("http://cyclonedx.org/schema/"+id, document); err != nil {
			t.Fatal(err)
		}
	}
	s, err := c.Compile("http://cyclonedx.org/schema/bom-1.6.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The SBOM is what CycloneDX says one is, complete, and the same each time.
func TestBillOfMaterials(t *testing.T) {
	inv := found(t)
	sum := strings.Repeat("0a", 32)
	hashes := map[string]string{}
	for _, p := range inv.Programs {
		hashes[p.Name] = sum
	}
	text, err := encode(billOfMaterials(inv, hashes, true))
	if err != nil {
		t.Fatal(err)
	}
	s := schema(t)
	valid := func(text []byte) error {
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return s.Validate(document)
	}
	if err := valid(text); err != nil {
		t.Errorf("it is no SBOM: %v", err)
	}
	if valid(bytes.Replace(text, []byte(`"id": "MIT"`), []byte(`"id": "BSD"`), 1)) == nil {
		t.Error("the schema takes a licence that SPDX does not know: is it the right one?")
	}

	var bom cyclonedx.BOM
	if err := json.Unmarshal(text, &bom); err != nil {
		t.Fatal(err)
	}
	refs := map[string]bool{own: true}
	for _, c := range *bom.Components {
		refs[c.BOMRef] = true
		if c.Licenses == nil || len(*c.Licenses) == 0 {
			t.Errorf("%s has no licence", c.BOMRef)
		}
		if c.Type == cyclonedx.ComponentTypeApplication && (c.Hashes == nil || (*c.Hashes)[0].Value != sum) {
			t.Errorf("%s has no hash", c.BOMRef)
		}
	}
	if len(refs) != 1+len(inv.Parts)+len(inv.Programs) {
		t.Errorf("%d components of %d parts and %d programs", len(refs)-1, len(inv.Parts), len(inv.Programs))
	}
	reached := map[string]bool{own: true}
	for changed := true; changed; {
		changed = false
		for _, d := range *bom.Dependencies {
			if !refs[d.Ref] {
				t.Fatalf("%s needs something and is not listed", d.Ref)
			}
			for _, to := range deref(d.Dependencies) {
				if !refs[to] {
					t.Fatalf("%s needs %s, which is not listed", d.Ref, to)
				}
				if reached[d.Ref] && !reached[to] {
					reached[to], changed = true, true
				}
			}
		}
	}
	for ref := range refs {
		if !reached[ref] {
			t.Errorf("nothing needs %s", ref)
		}
	}
	without, err := encode(billOfMaterials(inv, hashes, false))
	if err != nil || bytes.Contains(without, []byte("typedoc")) || !bytes.Contains(text, []byte("pkg:npm/typedoc@")) {
		t.Errorf("the tool that writes the reference is to be listed with a reference and not without: %v", err)
	}
	if again, err := encode(billOfMaterials(inv, hashes, true)); err != nil || !bytes.Equal(again, text) {
		t.Errorf("it is another each time: %v", err)
	}
}

func deref(list *[]string) []string {
	if list == nil {
		return nil
	}
	return *list
}

// What the inventory says that the command links is what the linker says: go version -m.
func TestInventoryIsWhatIsLinked(t *testing.T) {
	host := thirdparty.Platform{OS: runtime.GOOS, Arch: runtime.GOARCH}
	if !slices.Contains(thirdparty.Platforms, host) {
		t.Skipf("the command is not released for %s", host)
	}
	program := filepath.Join(t.TempDir(), "deepemd")
	cmd := exec.Command("go", "build", "-o", program, thirdparty.CommandPackage)
	cmd.Dir = root
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	inv, name := found(t), "deepemd "+host.String()
	if err := agrees(inv, name, info); err != nil {
		t.Error(err)
	}
	info.Deps = info.Deps[1:]
	if err := agrees(inv, name, info); err == nil || !strings.Contains(err.Error(), "and the inventory lists") {
		t.Errorf("a module that is not linked is listed: %v", err)
	}
	if err := agrees(inv, "deepemd plan9/386", info); err == nil {
		t.Error("a program of no inventory agrees with it")
	}
}

// make check vets what is released.
func TestCheckVetsEveryPlatform(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range thirdparty.Platforms {
		names = append(names, p.String())
	}
	if line := "\nPLATFORMS := " + strings.Join(names, " ") + "\n"; !strings.Contains(string(text), line) {
		t.Errorf("the Makefile lacks the line %q", strings.TrimSpace(line))
	}
}

func TestChoose(t *testing.T) {
	for list, want := range map[string]int{"": len(thirdparty.Platforms), "linux/amd64": 1, "windows/arm64,darwin/arm64": 2} {
		if got, err := choose(list); err != nil || len(got) != want {
			t.Errorf("%q chooses %v, %v", list, got, err)
		}
	}
	for _, list := range []string{"linux", "linux/amd64,", "plan9/386"} {
		if got, err := choose(list); err == nil || !strings.Contains(err.Error(), "want some of [linux/amd64") {
			t.Errorf("%q chooses %v, %v", list, got, err)
		}
	}
}
