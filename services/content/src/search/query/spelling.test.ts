import { describe, expect, it } from 'vitest';
import { closestTerms, countErrors } from './spelling.js';

function closest(word: string, terms: Readonly<Record<string, number>>, languages: readonly string[] = []): string[] {
  const all = Object.keys(terms);
  return closestTerms(word, languages, {
    near: (form) => all.filter((term) => term.startsWith(form.charAt(0))),
    frequency: (term) => terms[term] ?? 0,
  }).map(({ term }) => term);
}

describe('the closest terms', () => {
  it('have the fewest errors, the most frequent first', () => {
    expect(closest('wallrus', { walrus: 1, wallet: 5 })).toEqual(['walrus']);
    expect(closest('resture', { restore: 1, posture: 9, restire: 4 })).toEqual(['restire', 'restore']);
    expect(closest('featrue', { feature: 2, featrie: 7 })).toEqual(['featrie', 'feature']);
  });

  it('are none for a short word, a number, or another beginning', () => {
    expect(closest('cert', { cart: 1 })).toEqual([]);
    expect(closest('27001', { 27002: 1 })).toEqual([]);
    expect(closest('mestore', { restore: 1 })).toEqual([]);
  });

  it('are no other word with a longer ending, and none that no text has any more', () => {
    expect(closest('servicenow', { servicen: 1 })).toEqual([]);
    expect(closest('restore', { restora: 0 })).toEqual([]);
  });

  it('have the stem of the word without an error in its ending', () => {
    expect(closest('incidnt', { incid: 1 })).toEqual(['incid']);
    expect(closest('certificte', { certif: 3, certificat: 1 })).toEqual(['certif', 'certificat']);
    expect(closest('observabilty', { observ: 1 })).toEqual(['observ']);
    expect(closest('documentatoin', { document: 1 })).toEqual(['document']);
    expect(closest('observatory', { observ: 1 })).toEqual([]);
    expect(closest(`observ${'e'.repeat(64)}`, { observ: 1 })).toEqual([]);
    expect(closest('securtiy', { secur: 1 })).toEqual(['secur']);
    expect(closest('deploymnet', { deploy: 1 })).toEqual(['deploy']);
    expect(closest('idempotnecy', { idempot: 1 })).toEqual(['idempot']);
  });

  it('have the stem of a word whose ending has an accent', () => {
    expect(closest('reversibilite', { reversibil: 1 })).toEqual(['reversibil']);
    expect(closest('implementacion', { implement: 1 })).toEqual(['implement']);
    expect(closest('implementacao', { implement: 1 })).toEqual(['implement']);
  });

  it('are marked where they have another letter in place of one', () => {
    const terms = ['passport', 'restor', 'replic'];
    const known = { near: () => terms, frequency: (term: string) => Number(terms.includes(term)) };
    expect(closestTerms('password', [], known)[0]?.how).toBe('otherLetter');
    expect(closestTerms('restro', [], known)[0]?.how).toBe('spelling');
    expect(closestTerms('repliic', [], known)[0]?.how).toBe('spelling');
  });

  it('may be those of a stem', () => expect(closest('protektion', { protect: 1 }, ['en'])).toEqual(['protect']));
});

it('counts exchanged neighbours as one error', () => {
  expect(countErrors('featrue', 'feature')).toBe(1);
  expect(countErrors('kuberntes', 'kubernetes')).toBe(1);
  expect(countErrors('same', 'same')).toBe(0);
});
