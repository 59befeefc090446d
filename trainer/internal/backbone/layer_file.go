package backbone

import (
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Export puts weights and running statistics into the file, as inference reads them.
func Export(f *weights.File, params []*Param, norms []*BatchNorm) {
	for _, p := range params {
		f.Tensors[p.Name] = p.Export(p.Value)
	}
	for _, bn := range norms {
		mean, variance := bn.Running()
		f.Tensors[bn.Name()+".running_mean"], f.Tensors[bn.Name()+".running_var"] = mean, variance
	}
}

// Import takes weights and running statistics from a file.
//
// # Errors
//
// Absent tensors or ones of another shape; what is before them has changed then.
func Import(f *weights.File, params []*Param, norms []*BatchNorm) error {
	for _, p := range params {
		t, err := f.Tensor(p.Name, p.Export(p.Value).Shape...)
		if err != nil {
			return err
		}
		p.Import(p.Value, t)
		if p.Changed != nil {
			p.Changed()
		}
	}
	for _, bn := range norms {
		mean, variance := bn.Running()
		for name, to := range map[string]*tensor.Tensor{".running_mean": mean, ".running_var": variance} {
			t, err := f.Tensor(bn.Name()+name, to.Shape...)
			if err != nil {
				return err
			}
			copy(to.Data, t.Data)
		}
		bn.SetRunning(mean, variance)
	}
	return nil
}
