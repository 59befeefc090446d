package evaluate

import (
	"fmt"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/openset"
)

// ReadCohort makes a network's cohort of an array of features, [pictures, nodes, C], of
// pictures of its training classes, as `deepemd features` writes it.
//
// Errors are those of ReadFeatures.
func ReadCohort(path string) (*openset.Cohort, error) {
	features, set, _, err := ReadFeatures(path, "")
	if err != nil {
		return nil, err
	}
	defer set.Close()
	var classes []fewshot.Class
	for _, name := range set.Classes() {
		class := fewshot.Class{Name: name}
		for _, picture := range set.Pictures(name) {
			class.Support = append(class.Support, features[picture.Name])
		}
		classes = append(classes, class)
	}
	cohort, err := openset.NewCohort(classes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return cohort, nil
}
