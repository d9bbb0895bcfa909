/** Appends a whole number from 0 on as bytes with seven bits each, the lowest first. All but the last have the high bit. */
export function writeNumber(bytes: number[], value: number): void {
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
}

/** Reads such numbers one after the other, from a place on. */
export class NumberReader {
  constructor(
    private readonly bytes: Uint8Array,
    public at = 0,
  ) {}

  next(): number {
    let byte = this.bytes[this.at++] ?? 0;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = this.bytes[this.at++] ?? 0;
      value |= (byte & 0x7f) << shift;
    }
    return value;
  }
}
