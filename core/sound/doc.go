// Package sound turns recordings into pictures: MP3 and WAV files, or samples of
// a microphone, become one second at 16 kHz, that second a log-mel spectrogram, and
// the spectrogram a grey picture of 80×80 pixels. From there on a sound is a picture
// like any other: the same backbone embeds it, and the same matching compares it,
// over time (columns) and frequency (rows, high ones on top).
//
// Everything here works on bytes and samples in memory; microphones and playing belong
// to the page. ForLearner makes a learner of pictures one of sounds.
package sound
