/** Says what to do with a ZIP archive, such as an export, in place of a file; undefined if the file is none. */
export function zipProblem(bytes: Uint8Array): string | undefined {
  const begins = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  // An empty archive begins with its end.
  const isZip = begins === 'PK\u0003\u0004' || begins === 'PK\u0005\u0006';
  return isZip ? 'is a ZIP archive; unpack it and choose its files' : undefined;
}
