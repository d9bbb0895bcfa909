import { containsAddress, hiddenCharacters, withoutHiddenCharacters } from '@knowledge/runtime';
import { bounds, comparedNames, standingEdits } from '@knowledge/runtime/product';
import { shorten } from '../base/text.js';
import type { Contribution } from '../domain/contribution.js';
import { isAgreed } from '../domain/edit.js';

/** The parts of a contribution that readers see, without hidden characters. */
export interface CatalogObject {
  title: string;
  author: string;
  body: string;
  prompt: { id: string; question: string } | null;
}

/** Makes the catalog object of a contribution. The title of a reply names its prompt. */
export function catalogObject(contribution: Contribution): CatalogObject {
  const { body, prompt } = contribution;
  const question = safeLines(prompt?.question ?? '');
  const title =
    prompt === null
      ? shorten(oneLine(contribution.title ?? ''), bounds.articleTitle.max)
      : oneLine(shorten(`Reply to: ${oneLine(question)}`, bounds.articleTitle.max));
  return {
    title: title.trim() === '' ? 'Untitled' : title,
    author: catalogAuthor(contribution),
    body: withoutHiddenCharacters(body),
    prompt: prompt === null ? null : { ...prompt, question },
  };
}

/** When a moderator last edited the text; undefined if the words are the agent's again. */
export function editedAt({ textChanges }: Contribution): Date | undefined {
  return standingEdits(textChanges, isAgreed).at(-1)?.at;
}

/** The name to publish. It is empty if no name was sent or the name contains an e-mail address. */
export function catalogAuthor({ name }: Contribution): string {
  const shown = oneLine(name ?? '').trim();
  return containsAddress(shown) ? '' : shown;
}

/** Control characters but for line breaks and tabs become spaces; hidden ones go. */
function safeLines(text: string) {
  return withoutHiddenCharacters(text.replace(/[^\P{Cc}\t\n\r]/gu, ' '));
}

// Replaces line breaks and other control characters by spaces. A text without them keeps its spaces.
// What content takes as a title or name, also of a question that staff wrote: `shownLineFault` finds nothing in it.
function oneLine(text: string) {
  const breaks = /[\p{Cc}\u2028\u2029]|\\n/u;
  const line = breaks.test(text) ? text.replace(/(?:[\s\p{Cc}]|\\n)+/gu, ' ').trim() : text;
  return withoutHiddenCharacters(line.replace(/(\p{M}{8})\p{M}+/gu, '$1'));
}

/** Lists the hidden characters of a contribution and their positions, for moderators. */
export function hiddenIn(contribution: Contribution): string[] {
  return comparedNames
    .flatMap((field) =>
      hiddenCharacters(contribution[field] ?? '', shown).map(({ name, at }) => `${field}: ${name} at character ${at}`),
    )
    .slice(0, shown);
}

// The largest number of listed characters. A text can contain thousands, but moderators need only the first ones.
const shown = 10;
