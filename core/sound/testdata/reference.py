#!/usr/bin/env python3
"""Writes the reference figures of this folder: what NumPy, SciPy and FFmpeg make of the
same samples. Needs Python 3 with NumPy and SciPy, ffmpeg and lame; run it in this folder.

voice.wav         one second like speech, 16 kHz, 16 bits: the input of all the rest
logmel.f32        its log-mel spectrogram, float32 [80 moments, 80 bands], in dB
resample-R.f32    its first samples, taken as of R a second, at 16 kHz (scipy.signal.resample_poly)
NAME.mp3          mp3 files of all kinds, by lame
NAME.s16          what ffmpeg decodes of them, channels averaged, 16 bits
NAME.flac         one of these, for browsers
"""
import subprocess

import numpy as np
from scipy import signal

RATE = 16000
SECONDS_OF_MP3 = 0.25


def voice(rate, seconds, seed):
    """A gliding pulse train through three resonances that move, and a hiss."""
    rng = np.random.default_rng(seed)
    n = int(rate * seconds)
    t = np.arange(n) / rate
    pitch = 120 + 40 * np.sin(2 * np.pi * 1.5 * t)
    phase = np.cumsum(pitch) / rate
    x = (np.diff(np.floor(phase), prepend=0) > 0).astype(float) + 0.01 * rng.standard_normal(n)
    out = np.zeros(n)
    for start in range(0, n, rate // 100):
        part = slice(start, min(n, start + rate // 100))
        where = start / n
        y = x.copy()
        for formant, width in [(300 + 500 * where, 80), (2300 - 1200 * where, 120), (3000 - 400 * where, 160)]:
            r = np.exp(-np.pi * width / rate)
            a = [1, -2 * r * np.cos(2 * np.pi * formant / rate), r * r]
            y = signal.lfilter([1 - r], a, y)
        out[part] = y[part]
    out *= signal.windows.tukey(n, 0.3)
    return 0.6 * out / np.abs(out).max()


def logmel(x):
    """Log-mel spectrogram by the formulae, one frame after the other."""
    bands, hop, window, points = 80, 200, 400, 1024
    hann = signal.get_window("hann", window, fftbins=True)
    to_mel = lambda hz: 2595 * np.log10(1 + hz / 700)
    edges = 700 * (10 ** (np.linspace(to_mel(60), to_mel(7600), bands + 2) / 2595) - 1)
    bins = np.arange(points // 2 + 1) * RATE / points
    rising = (bins[None] - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - bins[None]) / (edges[2:] - edges[1:-1])[:, None]
    triangles = np.maximum(0, np.minimum(rising, falling))
    padded = np.concatenate([np.zeros(window), x, np.zeros(window)])
    moments = []
    for t in range(RATE // hop):
        begin = window + t * hop + hop // 2 - window // 2
        spectrum = np.fft.rfft(padded[begin : begin + window] * hann, points)
        moments.append(10 * np.log10(np.maximum(triangles @ (np.abs(spectrum) ** 2), 1e-10)))
    return np.array(moments)


def write_wav(name, x, rate):
    from scipy.io import wavfile

    wavfile.write(name, rate, np.round(x * 32767).astype(np.int16))


x = voice(RATE, 1, 1)
write_wav("voice.wav", x, RATE)
x = np.round(x * 32767) / 32768
logmel(x).astype(np.float32).tofile("logmel.f32")

for rate in [8000, 11025, 22050, 44099, 44100, 48000, 96000]:
    part = x[4000 : 4000 + rate // 20]
    divisor = np.gcd(rate, RATE)
    signal.resample_poly(part, RATE // divisor, rate // divisor).astype(np.float32).tofile(f"resample-{rate}.f32")

for name, rate, channels, options in [
    ("mpeg1-44100-joint", 44100, 2, ["-m", "j", "-b", "128"]),
    ("mpeg1-44100-stereo", 44100, 2, ["-m", "s", "-b", "192", "-p"]),
    ("mpeg1-48000-vbr", 48000, 1, ["-V", "2"]),
    ("mpeg1-32000", 32000, 1, ["-b", "40"]),
    ("mpeg2-24000", 24000, 2, ["-b", "48"]),
    ("mpeg2-22050", 22050, 1, ["-b", "32"]),
    ("mpeg2-16000", 16000, 1, ["-b", "24"]),
]:
    x = np.stack([voice(rate, SECONDS_OF_MP3, seed) for seed in range(channels)], 1)
    write_wav("source.wav", x, rate)
    subprocess.run(["lame", "--quiet", "--resample", str(rate / 1000), *options, "source.wav", name + ".mp3"], check=True)
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", name + ".mp3", "-f", "f32le", "-"], check=True, capture_output=True).stdout
    y = np.frombuffer(raw, np.float32).reshape(-1, channels).mean(1)
    np.round(y * 32767).clip(-32768, 32767).astype(np.int16).tofile(name + ".s16")
subprocess.run(["rm", "source.wav"], check=True)
subprocess.run("ffmpeg -v error -y -f s16le -ar 48000 -ac 1 -i mpeg1-48000-vbr.s16 -map_metadata -1 -flags:a +bitexact mpeg1-48000-vbr.flac".split(), check=True)
