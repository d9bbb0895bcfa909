import { hiddenCharacters } from '@knowledge/runtime';
import type { Contribution } from './contribution.js';

/** Lists the hidden characters of a contribution and their positions, for moderators. */
export function hiddenIn({ title, name, body }: Contribution): string[] {
  const fields = { title: title ?? '', name: name ?? '', body };
  return Object.entries(fields)
    .flatMap(([field, text]) =>
      hiddenCharacters(text, shown).map(({ name, at }) => `${field}: ${name} at character ${at}`),
    )
    .slice(0, shown);
}

// The largest number of listed characters. A text can contain thousands, but moderators need only the first ones.
const shown = 10;
