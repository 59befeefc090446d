#!/usr/bin/env python3
"""Makes the sets of the sound network: words.zip to train it, strangers.zip to choose it.

Usage: words.py WORDS.zip STRANGERS.zip

Words, none of them a digit or like one, by two synthesisers: eSpeak NG in the accents and
voices that it comes with, among them speakers of other languages, who say English words
with the sounds of their own, and Flite, whose voices are made of recordings of people.
Pitch, speed, vocal tract and melody vary, and each word is recorded as rooms, microphones
and telephones do. Every tenth word is for validation.

STRANGERS.zip has the words of validation alone, by speakers of whom WORDS.zip has nothing:
two voices of Flite, three of eSpeak NG. A file's name begins with the speaker, so that
`deepemd eval --apart _` lets some teach what others ask.

Needs Debian's packages espeak-ng, flite, python3-numpy and python3-scipy; the result
depends on the versions of the synthesisers.
"""
import io
import json
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy import fft, signal
from scipy.io import wavfile

RATE = 16000
RENDITIONS = 30
ASKED = 8  # renditions of a word by each speaker of STRANGERS.zip

WORDS = """
yes no up down left right on off stop go cat dog bird fish house bed happy wow forward back follow learn picture
apple banana orange lemon cherry grape melon peach plum berry bread butter cheese coffee tea milk water sugar salt pepper
table chair window door floor wall roof garden flower grass river mountain ocean island forest desert valley cloud rain
snow wind storm thunder summer winter spring autumn morning evening night today monday friday january march june august
red blue green yellow black white purple brown silver golden circle square triangle line corner music guitar piano drum
violin trumpet singer dancer painter doctor teacher farmer baker driver pilot soldier sailor king queen prince castle
bridge tower church market station airport hotel kitchen bottle glass spoon fork knife plate paper pencil letter number
camera phone radio computer mouse keyboard printer engine wheel bicycle train rocket planet moon star sunshine shadow
mother father sister brother baby uncle friend people horse sheep chicken rabbit monkey tiger lion elephant zebra
snake spider butterfly shoe shirt jacket trousers hat glove ring necklace finger shoulder elbow knee head hair nose
mouth smile laugh whisper shout jump run walk climb swim dance sleep dream think choose open close begin finish
heavy light quick slow strong gentle hungry thirsty clever foolish quiet noisy empty broken simple magic
""".split()

SHORT = """
bag ball band bank bath beach bean bell belt bench bite blood board boat bone book boot bowl box boy brain branch brick
brush bus cake call camp card cart case chain chalk chest chief child clay clock cloth coat coin comb cook corn crab cream crow
cup dark deep desk dish dome dot dove drink duck dust earth egg face farm feather field film flag flame foam fog foot
fox frame frog fruit game gate ghost gift girl goat gold grain group gym hand harp hawk hill hole honey hook horn ice iron jam
jar jazz jelly job joke judge juice keep key kick kite lake lamp leaf leg lip list lock loud love luck lung map mask match
meal meat mill mist moth mud nail neck nest net north nurse nut oak oil owl pan park path peace peg pie pig pin pipe
pond pool post pot pump rail ramp rice road robe rock rope rose sack sail sand scarf school seed shape shark shell ship
shop silk skin sky smoke soap sock soup south spark sport stamp steam stick stone street swan sword tail tape tent text
thief thumb tide tie tool tooth town toy trap tribe tube turn vase verb vest voice vote wax web west whale wheat wife
wing wolf wood wool word world worm yard year zip
""".split()

ACCENTS = ["en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp", "en-gb-x-gbclan", "en-gb-x-gbcwmd", "en-029", "en-us-nyc"]
LANGUAGES = "de fr-fr nl it es pl ru el tr hi sv pt-br da cs ro fi hu id".split()
VOICES = """Alex Alicia Andrea Andy Annie Denis Diogo Gene Gene2 Henrique Hugo Jacky Lee Marco Mario Michael Mike Mr
Nguyen Storm adam anika antonio aunty belinda benjamin boris caleb david ed edward f1 f2 f3 f4 f5 grandma grandpa
gustave iven iven2 iven3 john klatt klatt2 klatt3 klatt4 linda m1 m2 m3 m4 m5 m6 m7 m8 marcelo max michel miguel
norbert pablo paul pedro quincy rob robert sandro shelby steph steph2 travis victor zac""".split()
FLITE = {"kal16": 105, "slt": 165}  # and the pitch of each voice, Hz

# The speakers of STRANGERS.zip, of whom WORDS.zip has nothing.
ASKING = ["flite:rms:95", "flite:awb:110", "espeak:af+klatt2", "espeak:lt+Gene", "espeak:en-us+f4"]
VOICES = [v for v in VOICES if v not in ("klatt2", "Gene", "f4")]

# What takes the place of a sound that a language lacks: the first of these that it has.
NEAR = {
    "T": "t s", "D": "d z", "w": "v u", "v": "w f", "z": "s", "Z": "S z", "S": "s", "tS": "S s", "dZ": "Z z", "N": "n", "h": "x",
    "r": "R l", "r-": "r R", "j": "i I", "V": "a A", "aa": "a A", "A:": "a: a A", "A@": "a: a A", "A": "a", "a": "A E", "a#": "@ a",
    "aI": "ai a", "aI3": "aI ai a", "aI@": "aI ai a", "aU": "au a", "eI": "e: e E", "E": "e", "e@": "e: e E", "I": "i", "I2": "I i", "I#": "I i", "i": "I i:", "i:": "i I",
    "i@": "i: i", "i@3": "i: i", "0": "O o", "O": "o", "O:": "o: O o", "O@": "o: O o", "o@": "O: o: O o", "OI": "Oi o", "oU": "o: o O",
    "U": "u u:", "u": "u: U", "u:": "u U", "U@": "u: u", "3": "@ a e", "3:": "Y: @ e", "IR": "3: @ e", "@": "3 a e", "@2": "@ a", "@-": "@ a", "O2": "O o", ";": "j i",
    "@5": "@ a", "@L": "l", "t#": "t", "t2": "t", "d#": "d",
}


def espeak(*arguments, text):
    """What eSpeak NG writes, given lines of text."""
    return subprocess.run(["espeak-ng", *arguments], input=text.encode(), check=True, capture_output=True).stdout


def phonemes(accent, lines):
    return [line.strip() for line in espeak("-q", "-x", "--sep=_", "-v", accent, text="\n".join(lines)).decode().split("\n")[: len(lines)]]


class Mouth:
    """Says English words with the sounds of a language alone."""

    def __init__(self, language):
        sounds = sorted(set(NEAR) | {sound for near in NEAR.values() for sound in near.split()})
        # A sound that the language lacks ends what is said.
        said = phonemes(language, [f"[[{sound}|m'a]]" for sound in sounds])
        self.has = {sound for sound, what in zip(sounds, said) if "m_'" in what and not what.startswith("m_")}

    def say(self, spoken):
        said = []
        for sound in spoken.split("_"):
            bare = sound.lstrip("',")
            nearest = bare if bare not in NEAR else next((s for s in [bare, *NEAR[bare].split()] if s in self.has), "")
            said.append(sound[: len(sound) - len(bare)] + nearest)
        return f"[[{'|'.join(said)}]]"


def by_espeak(voice, word, rng):
    language = voice.split("+")[0]
    text = MOUTHS[language].say(SPOKEN[word][rng.integers(2)]) if language in MOUTHS else word
    text += rng.choice(["", ".", "?", "!", ","])
    return espeak("--stdout", "-v", voice, "-p", str(rng.integers(15, 86)), "-s", str(rng.integers(115, 241)), text=text)


def by_flite(voice, pitch, word, rng):
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        settings = {"duration_stretch": rng.uniform(0.75, 1.4), "int_f0_target_mean": int(pitch) * rng.uniform(0.8, 1.25)}
        options = [o for name, value in settings.items() for o in ("--setf", f"{name}={value:.2f}")]
        subprocess.run(["flite", "-voice", voice, *options, "-t", word, "-o", file.name], check=True)
        return file.read()


def speak(speaker, word, rng):
    """One rendition at RATE, by a vocal tract a little longer or shorter than the voice's own."""
    kind, *voice = speaker.split(":")
    raw = by_flite(*voice, word, rng) if kind == "flite" else by_espeak(*voice, word, rng)
    rate = int.from_bytes(raw[24:28], "little")
    samples = np.frombuffer(raw[44:], np.int16).astype(float) / 32768
    loud = np.flatnonzero(np.abs(samples) > 0.01 * np.abs(samples).max())
    samples = samples[loud[0] : loud[-1] + 1]
    samples = np.pad(samples, (0, fft.next_fast_len(len(samples)) - len(samples)))
    return signal.resample(samples, round(len(samples) * RATE / rate / np.exp(rng.uniform(-0.16, 0.16))))


def response(n, rng):
    """The response of a room and a microphone at the frequencies of a transform of n samples."""
    places = np.linspace(0, RATE / 2, n // 2 + 1)
    gains = 10 ** (np.interp(places, np.linspace(0, RATE / 2, 9), rng.uniform(-10, 10, 9)) / 20)
    if rng.random() < 0.45:  # a telephone, or 8,000 samples a second
        gains[places > rng.uniform(3200, 4000)] *= 10 ** -rng.uniform(1.5, 4)
    if rng.random() < 0.4:
        gains *= 1 / (1 + (rng.uniform(80, 350) / np.maximum(places, 1)) ** 4)
    if rng.random() < 0.6:
        seconds = rng.uniform(0.05, 0.5)
        moments = np.arange(int(RATE * seconds)) / RATE
        tail = rng.standard_normal(len(moments)) * np.exp(-6.9 * moments / seconds)
        tail *= 10 ** rng.uniform(-2, -0.2) / np.sqrt(np.sum(tail**2))
        gains = gains * (1 + fft.rfft(tail, n))
    return gains


def record(x, rng):
    """What a microphone in a room makes of it."""
    before, after = rng.integers(0, RATE // 4, 2)
    x = np.concatenate([np.zeros(before), x, np.zeros(after)])
    if rng.random() < 0.3:  # driven too hard
        x = np.tanh(x / np.abs(x).max() * rng.uniform(1, 6))
    n = fft.next_fast_len(len(x) + RATE // 2)
    x = fft.irfft(fft.rfft(x, n) * response(n, rng), n)[: len(x) + RATE // 8]
    noise = signal.lfilter([1], [1, -rng.uniform(0, 0.97)], rng.standard_normal(len(x)))
    power = lambda v: np.sqrt(np.mean(v**2))
    x = x + noise * power(x) / power(noise) * 10 ** (-rng.uniform(8, 60) / 20)
    return 0.7 * x / np.abs(x).max()


def speaker(rng):
    """A speaker at random: one of English in half of all cases, of another language in a third."""
    kind = rng.random()
    if kind < 0.18:
        voice = rng.choice(list(FLITE))
        return f"flite:{voice}:{FLITE[voice]}"
    return f"espeak:{rng.choice(LANGUAGES if kind < 0.5 else ACCENTS)}+{rng.choice(VOICES)}"


def rendition(place):
    """The file of one rendition: of a speaker at random if none is given."""
    word, number, who = place
    rng = np.random.default_rng([ALL.index(word), number, ASKING.index(who) + 1 if who else 0])
    x = record(speak(who or speaker(rng), word, rng), rng)
    file = io.BytesIO()
    wavfile.write(file, RATE, np.round(x * 32767).astype(np.int16))
    name = f"{who.replace(':', '-').replace('_', '-')}_" if who else ""
    return f"{word}/{name}{number:02}.wav", file.getvalue()


def write(path, split, places):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out, ThreadPoolExecutor(4) as pool:
        out.writestr("split.json", json.dumps(split))
        for name, data in pool.map(rendition, places):
            out.writestr(name, data)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if len(set(ALL)) != len(ALL):
        sys.exit("a word is there twice")
    train = [w for w in ALL if w not in VALIDATION]
    write(sys.argv[1], {"train": train, "val": VALIDATION, "test": []}, [(w, n, None) for w in ALL for n in range(RENDITIONS)])
    asked = [(w, n, who) for w in VALIDATION for who in ASKING for n in range(ASKED)]
    write(sys.argv[2], {"train": [], "val": VALIDATION, "test": []}, asked)


ALL = WORDS + SHORT
VALIDATION = ALL[:11:10] + ALL[19::10]
SPOKEN = {word: said for word, *said in zip(ALL, phonemes("en-us", ALL), phonemes("en-gb", ALL))}
MOUTHS = {language: Mouth(language) for language in [*LANGUAGES, "af", "lt"]}
main()
