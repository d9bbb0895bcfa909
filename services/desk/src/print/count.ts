/** Writes a number with its noun, for example `1 token` or `2 tokens`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
