/** How many texts were withdrawn, as a sentence; empty for none, or if it is unknown. */
export function withdrawnWords(count: number | undefined): string {
  if (count === undefined || count === 0) return '';
  return count === 1 ? '1 text that waited is withdrawn. ' : `${count} texts that waited are withdrawn. `;
}

/** How many requests were declined as well, as a sentence; empty for none. */
export function declinedWords(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? '1 request that waited for your answer is declined. '
    : `${count} requests that waited for your answer are declined. `;
}
