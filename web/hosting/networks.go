package hosting

import (
	"fmt"
	"path"
	"strings"

	"github.com/deepemd/deepemd/core/network/resnet12s"
	"github.com/deepemd/deepemd/core/network/resnet12sound"
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
	files[weightsFolder+"/"+name] = weights
	files[networks] = networksModule(name, resnet12sound.File)
	return nil
}

// networksModule writes the module for networks of the given names in weightsFolder.
func networksModule(pictures, sounds string) []byte {
	return fmt.Appendf(nil, `// @ts-check
/**
 * Where the networks lie that an engine takes by default, from the folder that holds
 * deepemd.js. %s writes this file for a network of one's own.
 */
export const networks = {
  pictures: "../%[2]s/%[3]s",
  sounds: "../%[2]s/%[4]s",
};
`, "`deepemd export-site --weights`", weightsFolder, pictures, sounds)
}
