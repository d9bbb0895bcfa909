/**
 * A set of readers as 64 bits. Each reader sets one bit, which many other readers would set too. So the bits tell about
 * how many readers there were, and not who.
 */
export type Sketch = bigint;

const size = 64;

/** The sketch of one reader, from a byte of a keyed hash. */
export function sketchOf(byte: number): Sketch {
  return 1n << BigInt(byte % size);
}

/** The number of bits. The number of different readers is at least as large. */
export function leastReaders(sketch: Sketch): number {
  let bits = 0;
  for (let left = BigInt.asUintN(size, sketch); left > 0n; left &= left - 1n) bits += 1;
  return bits;
}

/** Estimates the number of readers by linear counting. It is too low above 200. */
export function estimateReaders(sketch: Sketch): number {
  const empty = size - Math.min(leastReaders(sketch), size - 1);
  return Math.round(size * Math.log(size / empty));
}
