package job_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/deepemd/deepemd/trainer/training/job"
)

// Meta-training begins with a network.
func ExampleMeta_Prepare() {
	settings := job.NewMeta()
	settings.Data = "pictures.zip"
	_, err := settings.Prepare(context.Background(), job.Work{})
	fmt.Println(errors.Is(err, job.ErrNoInit))
	// Output: true
}
