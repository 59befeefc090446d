#!/usr/bin/env python3
"""Makes the fixtures of the room: small pictures of every kind that is decoded,
with what Pillow makes of them, and checksums of resized pictures and of
pictures of the shared data sets.

    python3 generate.py [FOLDER OF DATA SETS]

needs Pillow (written with 9.4 over libjpeg-turbo 2.1 and libwebp 1.2) and numpy.

pictures/NAME           a picture
pictures/NAME.want.png  the pixels that Pillow decodes it to, upright, as RGB over white
resize.txt              width height → width height, CRC-32 of the pixels that Pillow
                        resizes pattern(width, height) to
ZIP.txt                 one line for each STEPth picture of a data set, in the order
                        of names: its name, and CRC-32 of its decoded pixels
"""

import io
import pathlib
import struct
import sys
import zipfile
import zlib

import numpy as np
from PIL import Image, ImageOps

HERE = pathlib.Path(__file__).parent
PICTURES = HERE / "pictures"
WIDTH, HEIGHT = 37, 27
STEP = 150


def painting(width=WIDTH, height=HEIGHT):
    """Soft gradients with a few hard edges and a little noise, as RGB."""
    y, x = np.mgrid[0:height, 0:width].astype(float)
    rgb = np.stack([
        128 + 100 * np.sin(x / 7) * np.cos(y / 9),
        128 + 90 * np.cos(x / 5 + y / 11),
        255 * x / width,
    ], -1)
    rgb[(x - width / 3) ** 2 + (y - height / 2) ** 2 < (min(width, height) / 4) ** 2] = (230, 30, 60)
    rgb[(x + y) % 16 < 2] = (20, 240, 90)
    noise = np.random.default_rng(7).integers(-6, 7, rgb.shape)
    return np.clip(rgb + noise, 0, 255).astype(np.uint8)


def pattern(width, height):
    """The picture that resizing starts from; resize_test.go makes the same."""
    y, x, c = np.mgrid[0:height, 0:width, 0:3].astype(np.uint32)
    v = (x * 2654435761 + y * 2246822519 + c * 3266489917) & 0xFFFFFFFF
    noise = (v ^ (v >> 15)) & 63
    return (((x * 3 + y * 5 + c * 70) + (x * y >> 5) + noise) & 255).astype(np.uint8)


def encoded(image, form, **options):
    buffer = io.BytesIO()
    image.save(buffer, form, **options)
    return buffer.getvalue()


# --- JPEG: what Pillow cannot write is patched together from what it can. ---

def segments(jpeg):
    """Splits a JPEG file of one scan into its segments and the scan's data."""
    parts, at = [], 2
    while True:
        marker, length = jpeg[at + 1], struct.unpack(">H", jpeg[at + 2:at + 4])[0]
        parts.append((marker, jpeg[at + 4:at + 2 + length]))
        at += 2 + length
        if marker == 0xDA:
            return parts, jpeg[at:-2]


def joined(parts, data):
    out = b"\xff\xd8"
    for marker, payload in parts:
        out += bytes([0xFF, marker]) + struct.pack(">H", len(payload) + 2) + payload
    return out + data + b"\xff\xd9"


def with_frame(jpeg, width, height, sampling):
    """The same blocks in another arrangement: a scrambled but valid picture."""
    parts, data = segments(jpeg)
    changed = []
    for marker, payload in parts:
        if marker == 0xC0:
            payload = bytearray(payload)
            payload[1:5] = struct.pack(">HH", height, width)
            payload[7] = sampling
        changed.append((marker, bytes(payload)))
    return joined(changed, data)


def with_restarts(image, rows, interval, **options):
    """Strips of the picture, each its own JPEG, joined by restart markers."""
    strips = [image.crop((0, y, image.width, min(y + rows, image.height)))
              for y in range(0, image.height, rows)]
    data = b""
    for i, strip in enumerate(strips):
        parts, scan = segments(encoded(strip, "JPEG", **options))
        data += (bytes([0xFF, 0xD0 + (i - 1) % 8]) if i else b"") + scan
    parts, _ = segments(encoded(image, "JPEG", **options))
    parts.insert(-1, (0xDD, struct.pack(">H", interval)))
    return joined(parts, data)


def with_separate_scans(image):
    """Baseline with one scan for each of three full-size components."""
    planes = [segments(encoded(plane, "JPEG", quality=85)) for plane in image.convert("YCbCr").split()]
    parts = []
    for marker, payload in planes[0][0][:-1]:
        if marker == 0xC0:
            payload = payload[:5] + b"\x03" + b"".join(bytes([i, 0x11, 0]) for i in (1, 2, 3))
        parts.append((marker, payload))
    out = joined(parts, b"")[:-2]
    for i, (_, data) in enumerate(planes):
        out += b"\xff\xda\x00\x08\x01" + bytes([i + 1, 0, 0, 63, 0]) + data
    return out + b"\xff\xd9"


def with_adobe(jpeg, transform):
    """Without JFIF's marker, with Adobe's."""
    parts, data = segments(jpeg)
    parts = [p for p in parts if p[0] not in (0xE0, 0xEE)]
    return joined([(0xEE, b"Adobe\x00\x64\x00\x00\x00\x00" + bytes([transform]))] + parts, data)


def with_wide_tables(jpeg):
    """Quantisation tables of 16 bits."""
    parts, data = segments(jpeg)
    wide = []
    for marker, payload in parts:
        if marker == 0xDB:
            tables = [payload[i:i + 65] for i in range(0, len(payload), 65)]
            payload = b"".join(bytes([0x10 | t[0]]) + b"".join(struct.pack(">H", q) for q in t[1:]) for t in tables)
        wide.append((0xC1 if marker == 0xC0 else marker, payload))
    return joined(wide, data)


def jpegs():
    image = Image.fromarray(painting())
    for name, subsampling in ("444", 0), ("422", 1), ("420", 2):
        yield f"{name}.jpg", encoded(image, "JPEG", quality=85, subsampling=subsampling)
        yield f"progressive-{name}.jpg", encoded(image, "JPEG", quality=80, subsampling=subsampling, progressive=True)
    yield "quality-100.jpg", encoded(image, "JPEG", quality=100, subsampling=2)
    yield "quality-3.jpg", encoded(image, "JPEG", quality=3, subsampling=2)
    yield "gray.jpg", encoded(image.convert("L"), "JPEG", quality=85)
    yield "progressive-gray.jpg", encoded(image.convert("L"), "JPEG", quality=85, progressive=True)

    tile = Image.fromarray(painting(64, 32))
    yield "440.jpg", with_frame(encoded(tile, "JPEG", quality=70, subsampling=1), 31, 63, 0x12)
    yield "411.jpg", with_frame(encoded(tile, "JPEG", quality=70, subsampling=2), 61, 31, 0x41)
    yield "1x4.jpg", with_frame(encoded(tile, "JPEG", quality=70, subsampling=2), 62, 29, 0x14)

    for width, height in (1, 1), (3, 2), (4, 5), (5, 4), (17, 33):
        small = Image.fromarray(painting(width, height))
        for name, subsampling in ("422", 1), ("420", 2):
            yield f"{width}x{height}-{name}.jpg", encoded(small, "JPEG", quality=90, subsampling=subsampling)

    yield "restarts-420.jpg", with_restarts(image, 16, 3, quality=85, subsampling=2)
    yield "restarts-gray.jpg", with_restarts(Image.fromarray(painting(24, 88)).convert("L"), 8, 3, quality=60)
    yield "separate-scans.jpg", with_separate_scans(image)
    yield "wide-tables.jpg", with_wide_tables(encoded(image, "JPEG", quality=50))
    yield "fill-bytes.jpg", encoded(image, "JPEG", quality=50).replace(b"\xff\xda", b"\xff\xff\xff\xda")

    yield "rgb.jpg", with_adobe(encoded(image, "JPEG", quality=85, subsampling=0), 0)
    yield "adobe-ycc.jpg", with_adobe(encoded(image, "JPEG", quality=85, subsampling=2), 1)
    inks = image.convert("CMYK")
    inks.paste((10, 200, 120, 140), (5, 5, 20, 20))
    yield "cmyk.jpg", encoded(inks, "JPEG", quality=85)
    yield "ycck.jpg", with_adobe(encoded(inks, "JPEG", quality=85), 2)

    small = image.resize((12, 8))
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        yield f"orientation-{orientation}.jpg", encoded(small, "JPEG", quality=75, exif=exif)


# --- PNG ---

def raw_png(array, color_type):
    """A PNG of 16-bit samples, [height, width, channels]."""
    height, width = array.shape[:2]
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in array)
    return (b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, color_type, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def pngs():
    array = painting(23, 19)
    image = Image.fromarray(array)
    alpha = Image.fromarray((np.arange(23 * 19) * 7 % 256).astype(np.uint8).reshape(19, 23))
    with_alpha = image.copy()
    with_alpha.putalpha(alpha)
    gray_alpha = image.convert("L")
    gray_alpha.putalpha(alpha)
    exif = Image.Exif()
    exif[0x0112] = 6

    yield "rgb.png", encoded(image, "PNG")
    yield "rgb-transparent.png", encoded(image, "PNG", transparency=tuple(int(v) for v in array[0, 0]))
    yield "rgba.png", encoded(with_alpha, "PNG")
    yield "gray.png", encoded(image.convert("L"), "PNG")
    yield "gray-alpha.png", encoded(gray_alpha, "PNG")
    yield "bilevel.png", encoded(image.convert("1"), "PNG")
    yield "orientation-6.png", encoded(image, "PNG", exif=exif)
    for colors in 2, 4, 16, 200:
        palette = image.quantize(colors)
        yield f"palette-{colors}.png", encoded(palette, "PNG")
    yield "palette-transparent.png", encoded(palette, "PNG", transparency=bytes(range(0, 200)))
    wide = array.astype(np.uint16) * 256 + (array.astype(np.uint16) * 37 & 255)
    yield "gray-16.png", raw_png(wide[:, :, :1], 0)
    yield "rgb-16.png", raw_png(wide, 2)
    yield "rgba-16.png", raw_png(np.concatenate([wide, wide[:, :, :1]], -1), 6)


# --- WebP ---

def webps():
    image = Image.fromarray(painting())
    alpha = Image.fromarray(np.add.outer(np.arange(HEIGHT) * 5, np.arange(WIDTH)).astype(np.uint8))
    with_alpha = image.copy()
    with_alpha.putalpha(alpha)
    exif = Image.Exif()
    exif[0x0112] = 8
    yield "lossless.webp", encoded(image, "WEBP", lossless=True)
    yield "lossless-alpha.webp", encoded(with_alpha, "WEBP", lossless=True, exact=True)
    yield "lossy.webp", encoded(image, "WEBP", quality=80)
    yield "lossy-alpha.webp", encoded(with_alpha, "WEBP", quality=40)
    yield "lossy-even.webp", encoded(image.resize((32, 48)), "WEBP", quality=60)
    yield "lossy-1x1.webp", encoded(image.resize((1, 1)), "WEBP", quality=60)
    yield "lossy-2x3.webp", encoded(image.resize((2, 3)), "WEBP", quality=60)
    yield "orientation-8.webp", encoded(image.resize((12, 8)), "WEBP", quality=60, exif=exif)


def pixels(data):
    image = ImageOps.exif_transpose(Image.open(io.BytesIO(data)))
    if image.mode.startswith("I"):  # Pillow clips 16-bit gray to 255; the room takes its high byte
        return Image.fromarray((np.asarray(image) >> 8).astype(np.uint8)).convert("RGB")
    if "A" not in image.mode and "transparency" not in image.info:
        return image.convert("RGB")
    rgba = np.asarray(image.convert("RGBA")).astype(int)
    color, alpha = rgba[..., :3], rgba[..., 3:]
    return Image.fromarray(((color * alpha + 255 * (255 - alpha) + 127) // 255).astype(np.uint8))


SCALES = [
    (32, 32, 92, 92), (32, 32, 84, 84), (64, 64, 84, 84), (64, 64, 92, 92), (84, 84, 92, 92),
    (640, 480, 84, 84), (640, 480, 112, 84), (480, 480, 84, 84), (1280, 720, 84, 84), (500, 375, 84, 84),
    (500, 500, 84, 84), (333, 500, 92, 92), (84, 84, 32, 32), (84, 84, 5, 5), (97, 61, 96, 61), (97, 61, 97, 60),
    (97, 61, 98, 62), (97, 61, 1, 1), (1, 1, 7, 9), (2, 3, 200, 100), (3000, 2, 3, 2), (64, 48, 64, 48),
]


def main():
    PICTURES.mkdir(exist_ok=True)
    for old in PICTURES.iterdir():
        old.unlink()
    for kind in jpegs, pngs, webps:
        for name, data in kind():
            (PICTURES / name).write_bytes(data)
            pixels(data).save(PICTURES / (name + ".want.png"), optimize=True)

    lines = []
    for width, height, to_width, to_height in SCALES:
        resized = Image.fromarray(pattern(width, height)).resize((to_width, to_height), Image.Resampling.BILINEAR)
        lines.append(f"{width} {height} {to_width} {to_height} {zlib.crc32(resized.tobytes()):08x}\n")
    (HERE / "resize.txt").write_text("".join(lines))

    for folder in sys.argv[1:]:
        for name, ending in ("tiny-imagenet", ".jpg"), ("cifar100", ".webp"):
            archive = zipfile.ZipFile(pathlib.Path(folder) / f"{name}.zip")
            names = sorted(n for n in archive.namelist() if n.endswith(ending))[::STEP]
            sums = [(n, zlib.crc32(pixels(archive.read(n)).tobytes())) for n in names]
            (HERE / f"{name}.txt").write_text("".join(f"{n} {s:08x}\n" for n, s in sums))


main()
