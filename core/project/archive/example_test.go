package archive_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/project/archive"
)

// A learner is saved, and opened by another learner without embedding the pictures again.
func Example() {
	open := func() *learner.Learner {
		l, err := learner.OpenWith(network.ResNet12PhotoWeights(), learner.Options{Kit: learner.AllParts(), Digest: archive.Digest(network.ResNet12PhotoWeights())})
		if err != nil {
			panic(err)
		}
		return l
	}
	taught := open()
	for _, class := range []string{"banana", "orange"} {
		data, err := os.ReadFile("../../../web/static/web/demo/" + class + "-1.jpg")
		if err != nil {
			panic(err)
		}
		if err := taught.Add(class, learner.Picture{Data: data}); err != nil {
			fmt.Println(err)
			return
		}
	}
	var saved bytes.Buffer
	if err := archive.Save(&saved, taught, project.Manifest{Name: "Things"}); err != nil {
		fmt.Println(err)
		return
	}

	file, err := archive.Read(bytes.NewReader(saved.Bytes()), int64(saved.Len()))
	if err != nil {
		fmt.Println(err)
		return
	}
	again, err := archive.Open(file, open())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range again.Classes() {
		fmt.Println(c.Label, len(c.Examples))
	}
	fmt.Println(again.Method().Equal(taught.Method()))
	// Output:
	// banana 1
	// orange 1
	// true
}
