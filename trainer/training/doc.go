// Package training takes the steps of a training run, whatever is learnt: it draws
// batches, follows the gradients, averages weights, validates, logs, and saves so
// that a run can be stopped and continued bit for bit.
//
// [Trainer] is the run, [Settings] what it depends on. What learns is a [Learner]:
// package pretrain classifies, package meta takes episodes through the transport
// problem. Not here: the pictures (trainer/data), the recipes that fill in the
// settings (trainer/recipes), and what a network is worth (trainer/measure).
//
//   - pretrain: classification of all training classes
//   - meta: episodes, scored by DeepEMD itself
//   - job: all that a run takes, put together of its settings
//   - backbone: ResNet-12 with a backward pass
//   - optim: gradient descent, schedules, averages of weights
//   - runfolder: the files that a run leaves
//   - internal/layer, internal/bfloat16: the layers in float32 and in mixed precision
package training
