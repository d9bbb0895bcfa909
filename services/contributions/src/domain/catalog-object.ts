import { holdsAddress, withoutHiddenCharacters } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import type { Contribution } from './contribution.js';
import { shorten } from './text.js';

/** What readers see of a contribution: as sent, but without the characters that nobody sees. */
export interface CatalogObject {
  title: string;
  /** Empty for none. */
  author: string;
  body: string;
  prompt: { id: string; question: string } | null;
}

/** A contribution as an object of the catalog. A reply has no title of its own: it says what it replies to. */
export function catalogObject(contribution: Contribution): CatalogObject {
  const { body, prompt } = contribution;
  const question = safeLines(prompt?.question ?? '');
  const title =
    prompt === null
      ? oneLine(contribution.title ?? '')
      : oneLine(shorten(`Reply to: ${oneLine(question)}`, bounds.objectTitle.max));
  return {
    title: title.trim() === '' ? 'Untitled' : title,
    author: catalogAuthor(contribution),
    body: withoutHiddenCharacters(body),
    prompt: prompt === null ? null : { ...prompt, question },
  };
}

/** The name that the catalog shows; empty for none. One that is an e-mail address is not shown. */
export function catalogAuthor({ name }: Contribution): string {
  const shown = oneLine(name ?? '').trim();
  return holdsAddress(shown) ? '' : shown;
}

/** A text without control characters, but for line breaks and tabs. */
export function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\r]/gu, ' ');
}

function safeLines(text: string): string {
  return withoutHiddenCharacters(withoutControls(text));
}

// Left alone unless it holds a line break or another control character.
function oneLine(text: string): string {
  const line = /\p{Cc}/u.test(text) ? text.replace(/[\s\p{Cc}]+/gu, ' ').trim() : text;
  return withoutHiddenCharacters(line);
}
