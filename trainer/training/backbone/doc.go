// Package backbone is the ResNet-12 in training: the network of core/resnet with batch
// statistics and a backward pass, in float32 or in mixed precision. It puts together
// the layers of trainer/training/internal, reads the weights that inference reads and
// exports them. Losses and steps are not here: see pretrain, meta and optim.
package backbone
