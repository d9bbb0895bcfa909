import fc from 'fast-check';
import { expect, it } from 'vitest';
import { analyse } from './analyse.js';
import { createCompounds } from './compounds.js';
import { stem } from './stem.js';
import { longestWord, splitWords } from './words.js';

const terms = (text: string, language: string) => analyse(text, language).map(({ term }) => term);

it.each([
  ['en', 'rollouts', 'rollout'],
  ['de', 'Schnittstellen', 'Schnittstelle'],
  ['es', 'copias de seguridad', 'copia de seguridad'],
  ['fr', "l'infogérance", 'infogerance'],
  ['pl', 'dyżury', 'dyzury'],
  ['', 'Migrations', 'migration'],
  ['ru', 'данные', 'данных'],
])('prepares %s %j and %j alike', (language, one, other) => {
  expect(terms(one, language)).toEqual(terms(other, language));
  expect(terms(one, language)).not.toEqual([]);
});

it.each([
  ['It costs 12,000 € or 12.000 or 12’000.', ['it', 'costs', '12000', 'or', '12000', 'or', '12000']],
  ['in 2026 100 people', ['in', '2026', '100', 'people']],
  ["qu'il n'y a; d’accord", ['il', 'y', 'a', 'accord']],
  ["the company's SSO", ['the', 'company', 'sso']],
  ["Don't, can’t, n'tale, plan't2", ['t', 't', 'tale', 'plan', 't2']],
  ['ﬁle ①②', ['file', '12']],
  ['in\u200bvoice ne\u00adver ca\u200dche \u{1f469}\u200d\u{1f4bb}', ['invoice', 'never', 'cache']],
  ['東京の監視', ['東京', 'の', '監視']],
])('finds the words of %j', (text, words) => {
  expect(splitWords(text).map(({ text: word }) => word)).toEqual(words);
});

it('leaves out stop words of the language', () => {
  expect(terms('what to do if the backup fails', 'en')).toEqual([stem('backup', 'en'), stem('fails', 'en')]);
  expect(terms('die Sicherung', 'de')).toEqual([stem('sicherung', 'de')]);
});

it('keeps a word and its stop word together where a hyphen ties them', () => {
  expect(terms('the on-call rota', 'en')).toEqual(['call', 'oncal', 'rota']);
  expect(terms('single sign-on', 'en')).toEqual(['singl', 'sign', 'signon']);
  expect(terms('on call, up-to-date, one - call', 'en')).not.toContain('oncal');
});

it('finds the parts of German compounds that the texts have', () => {
  const compounds = createCompounds();
  for (const word of ['daten', 'sicherung', 'plan', 'datensicherung']) compounds.learn(word);
  expect(compounds.parts('datensicherung')).toEqual(['daten', 'sicherung']);
  const parts = compounds.parts('datensicherungsplan').map((part) => stem(part, 'de'));
  expect(parts).toEqual([stem('datensicherung', 'de'), 'plan']);
  expect(compounds.parts('xylosicherung')).toEqual(['sicherung']);
  expect(compounds.parts('planung')).toEqual([]);
  expect(analyse('Datensicherung', 'de', compounds).map(({ term }) => term)).toEqual(
    ['datensicherung', 'daten', 'sicherung'].map((word) => stem(word, 'de')),
  );
});

it.each([
  ['zugriffsrechte', ['zugriff', 'rechte']],
  ['testumgebung', ['test', 'umgebung']],
  ['mitarbeiterbefragungen', ['mitarbeiter', 'befragungen']],
  ['zertifikatserneuerungsplan', ['zertifikat', 'erneuerung', 'plan']],
  ['arbeitsplätze', ['arbeit', 'plätze']],
  ['authentication', []],
  ['verantwortlich', []],
])('splits %j without a text that has its parts', (word, parts) => {
  const stems = (all: readonly string[]) => all.map((each) => stem(each, 'de'));
  expect(stems(createCompounds().parts(word))).toEqual(stems(parts));
});

it('finds the forms of a learnt word in compounds', () => {
  const compounds = createCompounds();
  compounds.learn('okapis');
  expect(compounds.parts('okapipflege')).toEqual(['okapi', 'pflege']);
  expect(compounds.parts('pflegeokapi')).toEqual(['pflege', 'okapi']);
});

it('tries no beginning of a word twice', () => {
  expect(createCompounds().parts(`x${'rechte'.repeat(10)}`)).toEqual(['rechte']);
});

it('takes any text: words stand where they say, and terms are bounded and have no space', () => {
  const language = fc.constantFrom('', 'en', 'de', 'es', 'fr', 'pl', 'tr', 'ja', 'xx');
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ unit: 'grapheme', maxLength: 200 }));
  const compounds = createCompounds();
  for (const word of ['daten', 'sicherung']) compounds.learn(word);
  fc.assert(
    fc.property(text, language, (each, tag) => {
      let end = 0;
      for (const word of splitWords(each)) {
        expect(word.start).toBeGreaterThanOrEqual(end);
        expect(word.end).toBeLessThanOrEqual(each.length);
        expect(word.text.length).toBeLessThanOrEqual(longestWord);
        end = word.end;
      }
      for (const { term } of analyse(each, tag, compounds)) {
        expect(term).toMatch(/^\S+$/);
        expect(term.length).toBeLessThanOrEqual(4 * longestWord);
      }
    }),
  );
});
