// Package backbone has the networks that learn: those of core/backbone with a backward
// pass, ResNet-12, the ResNets of ImageNet and vision transformers. Which one it is a
// [Plan] says, from the settings of a run or from the weights file that it begins with.
// Losses and steps are not here: see pretrain, meta and optim.
package backbone
