// Package augment varies training pictures at random: crops, flips, quarter-turns,
// colours, and what webcams do to pictures: blur, noise, bad light, compression, few pixels,
// things that are small and off the centre. Networks are trained with these disturbances,
// and their robustness is measured with them. Everything random is
// drawn from a generator that the caller seeds, so a picture comes out the same
// whenever and wherever it is prepared. Cropping and scaling for inference are
// core/imaging.
package augment
