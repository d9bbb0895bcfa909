/** At most this many characters of a text. One that is cut ends with `…`. */
export function shortened(text: string, most: number): string {
  // So many code units have more than `most` characters, and a text can be long.
  const start = [...text.slice(0, 2 * most + 1)];
  return start.length > most ? `${start.slice(0, most - 1).join('')}…` : text;
}
