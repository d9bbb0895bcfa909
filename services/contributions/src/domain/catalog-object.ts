import type { Contribution } from './contribution.js';
import { shorten } from './text.js';

/** The longest title that the catalog takes. */
const titleMax = 200;

/** What the catalog shows of a contribution: as sent, but for what it would refuse and nobody can see. */
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
  const question = withoutControls(prompt?.question ?? '');
  const title =
    prompt === null ? oneLine(contribution.title ?? '') : shorten(`Reply to: ${oneLine(question)}`, titleMax);
  return {
    title: title.trim() === '' ? 'Untitled' : title,
    author: catalogAuthor(contribution),
    body,
    prompt: prompt === null ? null : { ...prompt, question },
  };
}

/** The name that the catalog shows; empty for none. One that is an e-mail address is not shown (protocol section 7). */
export function catalogAuthor({ name }: Contribution): string {
  const shown = oneLine(name ?? '').trim();
  return holdsAddress(shown) ? '' : shown;
}

/** Whether a name holds what could be an e-mail address. */
export function holdsAddress(name: string): boolean {
  return /[^\s@<>]@[^\s@<>]/.test(name);
}

/** A text without control characters, but for line breaks and tabs. */
export function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\r]/gu, ' ');
}

// Left alone unless it holds a line break or another control character.
function oneLine(text: string): string {
  return /\p{Cc}/u.test(text) ? text.replace(/[\s\p{Cc}]+/gu, ' ').trim() : text;
}
