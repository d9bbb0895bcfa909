/** Appends a whole number from 0 on as bytes with seven bits each, the lowest first. All but the last have the high bit. */
export function writeNumber(bytes: number[], value: number): void {
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
}

export function readNumber(bytes: Uint8Array, start: number): [value: number, next: number] {
  let at = start;
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0;
    value |= (byte & 0x7f) << shift;
    if (byte <= 0x7f) return [value, at];
  }
}

/** Reads such numbers one after the other. */
export function numberReader(bytes: Uint8Array): () => number {
  let at = 0;
  return () => {
    const [value, next] = readNumber(bytes, at);
    at = next;
    return value;
  };
}
