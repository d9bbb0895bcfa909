import { withoutHiddenCharacters } from '@knowledge/runtime';
import { plainText } from '@knowledge/runtime/markdown';
import type { CheckedText } from './check.js';

/** Title and body as people read them, then the body with its marks and links, all in one line. */
export function readable({ title, body }: Pick<CheckedText, 'title' | 'body'>): string {
  return withoutHiddenCharacters(`${title ?? ''}\n${plainText(body)}\n${body}`)
    .normalize('NFKC')
    .replace(/\s+/g, ' ');
}
