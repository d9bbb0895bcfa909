/** Says what to do with a file that is a ZIP archive, such as an export; undefined for another file. */
export function zipProblem(bytes: Uint8Array): string | undefined {
  const begins = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  // An empty archive begins with its end.
  const isZip = begins === 'PK\u0003\u0004' || begins === 'PK\u0005\u0006';
  return isZip ? 'is a ZIP archive; unpack it and choose its files' : undefined;
}
