import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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

describe('readingTokens', () => {
  it.each(counted)('is near %i for %j', (tokens, text) => {
    expect(Math.abs(readingTokens(text) - tokens) / tokens).toBeLessThan(0.35);
  });

  it('is 0 for an empty text and counts every other one that can be seen', () => {
    expect(readingTokens('')).toBe(0);
    expect(readingTokens('a')).toBe(1);
  });

  it('is hardly more for two parts than for the whole', () => {
    const property = (before: string, after: string) => {
      const parts = readingTokens(before) + readingTokens(after);
      const whole = readingTokens(before + after);
      expect(parts).toBeGreaterThanOrEqual(whole);
      expect(parts).toBeLessThanOrEqual(whole + 4);
    };
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), property));
  });
});
