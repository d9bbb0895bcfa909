/** How many texts an ending withdrew, as a sentence; nothing for none, or where it is not known. */
export function withdrawnWords(count: number | undefined): string {
  if (count === undefined || count === 0) return '';
  return count === 1 ? '1 text that waited is withdrawn. ' : `${count} texts that waited are withdrawn. `;
}

/** How many requests were declined by the way, as a sentence; nothing for none. */
export function declinedWords(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? '1 request that waited for your answer is declined. '
    : `${count} requests that waited for your answer are declined. `;
}
