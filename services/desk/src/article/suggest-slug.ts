import { bounds } from '@knowledge/runtime/product';
import anyAscii from 'any-ascii';

/** Makes the name in the URL from a title in any script; empty for a title without letters and digits. */
export function suggestSlug(title: string): string {
  const words =
    anyAscii(title)
      .toLowerCase()
      .replace(/['’]/g, '')
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, bounds.slug.max).replace(/-$/, '');
}
