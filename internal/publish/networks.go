package publish

import (
	"fmt"
	"path"
	"strings"

	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/core/network/resnet12sound"
	"github.com/deepemd/deepemd/core/network/resnet12xs"
)

// weightsFolder is where networks lie in a site.
const weightsFolder = "weights"

// networks is the module that says where they lie; wasm/npm has the one for the
// default networks.
const networks = "deepemd/networks.js"

// setNetwork puts another network in the place of the default one for pictures.
func setNetwork(files map[string][]byte, name string, weights []byte) error {
	if name != path.Base(name) || strings.ContainsAny(name, "/\\\"?#%") || !strings.HasSuffix(name, ".safetensors") {
		return fmt.Errorf("weights named %q: want a plain file name that ends in .safetensors", name)
	}
	if name == resnet12sound.File {
		return fmt.Errorf("weights named %q: that is the network for sounds: name the file otherwise", name)
	}
	if _, found := files[networks]; !found {
		return fmt.Errorf("the site lacks %s: is it of this version?", networks)
	}
	delete(files, weightsFolder+"/"+resnet12s.File)
	delete(files, weightsFolder+"/"+resnet12xs.File) // what a device chooses of is no longer there
	files[weightsFolder+"/"+name] = weights
	files[networks] = networksModule([]network{
		{"pictures", name, len(weights)},
		{"sounds", resnet12sound.File, len(resnet12sound.Weights())},
	})
	return nil
}

// network is a file of weights in weightsFolder, and what engines take it for.
type network struct {
	use, name string
	bytes     int
}

// networksModule writes the module that says where networks lie.
func networksModule(all []network) []byte {
	var entries strings.Builder
	for _, n := range all {
		fmt.Fprintf(&entries, "  %s: { get url() { return new URL(\"../%s/%s\", import.meta.url); }, bytes: %d },\n", n.use, weightsFolder, n.name, n.bytes)
	}
	return fmt.Appendf(nil, `// @ts-check
/**
 * Where the networks lie that an engine takes by default, and how many bytes each has.
 * One named small, where there is one, is for slow devices: a page that offers it names it in its options.
 * %s writes this file for a network of one's own.
 */
export const networks = {
%s};
`, "`deepemd export-site --weights`", &entries)
}
