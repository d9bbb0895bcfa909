/** A 32-bit hash of a short text, signed as MongoDB stores it (FNV-1a with a final mix). */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mix32(hash);
}

/** Spreads each bit of a number over all 32 bits. */
export function mix32(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
