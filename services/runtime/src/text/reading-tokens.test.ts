import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readingTokens } from './reading-tokens.js';

// What the tokenizer o200k_base counts for each text.
const counted: readonly (readonly [number, string])[] = [
  [23, 'We moved four plants, and the fifth moved us. Nobody had tested the restore, so the restore tested us.'],
  [18, 'Wir haben die Migration an einem Wochenende gemacht, und am Montag hat es niemand bemerkt.'],
  [17, 'Después de la caída decidimos que una sola persona recibe la alerta por la noche.'],
  [17, "Le serveur n'a pas répondu pendant trois heures, et personne ne l'a vu."],
  [25, 'Przenieśliśmy bazę danych w jeden weekend i w poniedziałek nikt tego nie zauważył.'],
  [19, 'Сертификат истёк три дня назад, когда нам позвонил первый клиент.'],
  [17, '我们在一个周末迁移了数据库，星期一没有人注意到。'],
  [15, 'لم يستجب الخادم لمدة ثلاث ساعات، ولم يلاحظ أحد ذلك.'],
  [28, '```sh\nkubectl -n shop rollout undo deployment/api\nkubectl -n shop get pods --selector app=api\n```\n'],
  [34, '| wave | people | calls |\n|---|---|---|\n| 1 | 120 | 41 |\n| 2 | 640 | 187 |\n'],
];

it.each(counted)('is near %i for %j', (tokens, text) => {
  expect(Math.abs(readingTokens(text) - tokens) / tokens).toBeLessThan(0.35);
});

it('is 0 for an empty text and counts every other one that can be seen', () => {
  expect(readingTokens('')).toBe(0);
  expect(readingTokens('a')).toBe(1);
});

// The second kind has the long words and numbers that the first seldom has.
const piece = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('a', 'Z', '7', ' ', '\n', '.', 'é', '我', '🙂'), maxLength: 60 }),
  fc.string({ unit: fc.constantFrom('a', '7'), maxLength: 60 }),
);

/** How many tokens more two parts of a text have together than the whole. */
const more = (before: string, after: string): number =>
  readingTokens(before) + readingTokens(after) - readingTokens(before + after);

it('is at most 1 more for two parts cut between words than for the whole, and never less', () => {
  const property = (before: string, after: string): void => {
    expect(more(before, ` ${after}`)).toBeGreaterThanOrEqual(0);
    expect(more(before, ` ${after}`)).toBeLessThanOrEqual(1);
  };
  fc.assert(fc.property(piece, piece, property));
});

// The letters of a long word beyond the sixth cost more, so its halves alone may cost less.
it('is at most 3 more for two parts cut anywhere, and at most 1 less', () => {
  const property = (before: string, after: string): void => {
    expect(more(before, after)).toBeGreaterThanOrEqual(-1);
    expect(more(before, after)).toBeLessThanOrEqual(3);
  };
  fc.assert(fc.property(piece, piece, property), { examples: [['AAAAAA', 'AAAA']] });
});
