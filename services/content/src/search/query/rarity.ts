/** How rare what this many of the texts have is: its inverse document frequency, as Lucene has it. */
export function rarityOf(frequency: number, texts: number): number {
  return Math.log(1 + (texts - frequency + 0.5) / (frequency + 0.5));
}
