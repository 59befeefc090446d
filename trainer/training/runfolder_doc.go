// Package runfolder keeps what a training run leaves on disk: checkpoints to continue
// from, a log of its figures, and their curves. It knows the forms of these files;
// when they are written is package training's business, and the networks are files of
// core/weights.
package training
