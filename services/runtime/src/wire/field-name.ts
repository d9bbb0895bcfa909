/** The name of a field in the proto: `publishedAt` becomes `published_at`. */
export function toWireFieldName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
