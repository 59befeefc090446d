// Package augment varies training pictures at random: crops, flips, quarter-turns,
// colours, and what webcams do to pictures (package disturb). Everything random is
// drawn from a generator that the caller seeds, so a picture comes out the same
// whenever and wherever it is prepared. Cropping and scaling for inference are
// core/imaging.
package augment
