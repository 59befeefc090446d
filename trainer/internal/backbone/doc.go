// Package backbone is the ResNet-12 in training: the network of internal/backbone with batch
// statistics and a backward pass, in float32 or in mixed precision. A [Plan] says which
// one, from the settings of a run or from the weights file that it begins with. Losses and
// steps are not here: see pretrain, meta and optim.
package backbone
