// Reduces PNG images without other packages: screenshots of text have few colors,
// so a palette of 256 is sufficient, and rows without filters compress best.
import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/** Maximum number of colors of a palette. */
const MAX_COLORS = 256;

/** Returns the image with a palette. Supports RGB with 8 bits, not interlaced. */
export function smallPng(image) {
  const chunks = chunksOf(image);
  const header = chunks.find(({ type }) => type === "IHDR").data;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (header.subarray(8).toString("hex") !== "0802000000")
    throw new Error("the image must be RGB with 8 bits and not interlaced");
  const data = chunks
    .filter(({ type }) => type === "IDAT")
    .map((chunk) => chunk.data);
  const pixels = unfiltered(inflateSync(Buffer.concat(data)), width, height);
  const { palette, indexes } = quantised(pixels);
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++)
    rows.set(indexes.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  // 3: indexes of a palette.
  header[9] = 3;
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flat())),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunksOf(image) {
  const chunks = [];
  for (let at = SIGNATURE.length; at < image.length;) {
    const length = image.readUInt32BE(at);
    const type = image.toString("latin1", at + 4, at + 8);
    const data = Buffer.from(image.subarray(at + 8, at + 8 + length));
    chunks.push({ type, data });
    at += length + 12;
  }
  return chunks;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  out.set(body, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/** Removes the filters of rows (PNG specification, section 9). */
function unfiltered(bytes, width, height) {
  const size = width * 3;
  const pixels = Buffer.alloc(size * height);
  for (let y = 0; y < height; y++) {
    const filter = bytes[y * (size + 1)];
    for (let x = 0; x < size; x++) {
      const at = y * size + x;
      const left = x < 3 ? 0 : pixels[at - 3];
      const up = y === 0 ? 0 : pixels[at - size];
      const corner = x < 3 || y === 0 ? 0 : pixels[at - size - 3];
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)];
      pixels[at] = bytes[y * (size + 1) + 1 + x] + guess[filter];
    }
  }
  return pixels;
}

function paeth(left, up, corner) {
  const [a, b, c] = [left, up, corner].map((value) =>
    Math.abs(left + up - corner - value),
  );
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** Returns the most frequent colors, and the nearest of them for each pixel. */
function quantised(pixels) {
  const counts = new Map();
  const colors = [];
  for (let at = 0; at < pixels.length; at += 3) {
    const color = pixels.readUIntBE(at, 3);
    colors.push(color);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const frequent = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MAX_COLORS);
  const palette = frequent.map(([color]) => partsOf(color));
  const nearest = new Map();
  const indexes = Buffer.from(
    colors.map((color) => {
      if (!nearest.has(color)) nearest.set(color, nearestIn(palette, color));
      return nearest.get(color);
    }),
  );
  return { palette, indexes };
}

function nearestIn(palette, color) {
  const parts = partsOf(color);
  const distances = palette.map((other) =>
    other.reduce((sum, part, at) => sum + (part - parts[at]) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

function partsOf(color) {
  return [color >> 16, (color >> 8) & 255, color & 255];
}
