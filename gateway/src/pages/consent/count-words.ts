/** A sentence with the number of withdrawn texts; empty for none or if unknown. */
export function withdrawnWords(count: number | undefined): string {
  if (count === undefined || count === 0) return '';
  return count === 1 ? '1 text that waited is withdrawn. ' : `${count} texts that waited are withdrawn. `;
}

/** A sentence with the number of declined requests; empty for none. */
export function declinedWords(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? '1 request that waited for your answer is declined. '
    : `${count} requests that waited for your answer are declined. `;
}
