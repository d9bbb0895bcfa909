import { hiddenCharacters } from '@knowledge/runtime';
import type { Contribution } from './contribution.js';

/** The hidden characters of a contribution and where they are, for moderators. */
export function hiddenIn({ title, name, body }: Contribution): string[] {
  const fields = { title: title ?? '', name: name ?? '', body };
  return Object.entries(fields)
    .flatMap(([field, text]) =>
      hiddenCharacters(text, shown).map(({ name, at }) => `${field}: ${name} at character ${at}`),
    )
    .slice(0, shown);
}

// A text may hold thousands; the first ones say enough.
const shown = 10;
