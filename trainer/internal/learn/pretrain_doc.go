// Package pretrain teaches a backbone by ordinary classification of all training
// classes, with an auxiliary task of telling rotations (DeepEMD, section 4.2: the
// backbone is pre-trained before it learns to match). Here are the two heads with
// their loss, and the batches; the run itself is package training.
package learn
