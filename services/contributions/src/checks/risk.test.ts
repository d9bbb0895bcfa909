import { describe, expect, it } from 'vitest';
import { busyAgent, firstOfHuman, nearDuplicate, rejectedBefore } from './background.js';
import type { Background, CheckedText, TextCheck } from './check.js';
import { hidden } from './hidden.js';
import { links, lookAlikeDomains, shortLinks } from './links.js';
import { markup } from './markup.js';
import { personalData } from './personal-data.js';
import { report } from './report.js';
import { assess } from './risk.js';
import { foreignScript, noSpaces, shouting } from './writing.js';

const text = (body: string, language = 'en'): CheckedText => ({
  ...{ title: null, name: null, language, body, purpose: null },
});
const usual: Background = { rejected: 0, earlier: 3, ofAgentToday: 0, nearest: undefined };

const findings: [string, TextCheck, string, RegExp][] = [
  ['a zero-width space', hidden, 'a\u200bb', /^1 hidden character, the first is U\+200B/],
  ['codes of terminals', hidden, '\u001b[31mred\u0007\u009b', /^3 hidden characters, the first is U\+001B/],
  ['thousands of hidden characters', hidden, '\u200b'.repeat(8000), /^50 or more hidden characters/],
  ['one link', links, 'See https://example.org/a.', /^1 link$/],
  ['a link without a scheme', links, 'See WWW.Example.org and http://b.example.', /^2 links$/],
  ['a shortened link', shortLinks, 'Read http://bit.ly/x now', /bit\.ly$/],
  ['a Cyrillic domain that reads as Latin', lookAlikeDomains, 'https://раура\u04cf.com/login', /may look like/],
  ['Punycode', lookAlikeDomains, 'https://www.xn--pypal-4ve.com', /xn--pypal-4ve\.com$/],
  ['a data URL', markup, '![x](data:image/png;base64,AAAA)', /carries data/],
  ['a script', markup, '<script src=x>', /HTML/],
  ['an e-mail address', personalData, 'Write to jo.doe@mail.example.org.', /^an e-mail address in/],
  ['a telephone number', personalData, 'Call +49 (0)30 123 45 67.', /^a telephone number in/],
  ['both, in full width', personalData, 'ｊｏ＠example.org, 030/12345678', /^an e-mail address and a telephone/],
  ['a report', (sent) => report({ ...sent, purpose: 'report' }), 'The table is wrong.', /^a report of a problem/],
  ['capitals', shouting, 'THIS IS THE BEST OFFER EVER, BUY IT', /capitals/],
  ['exclamation marks', shouting, 'Great!!!!', /exclamation/],
  ['encoded data', noSpaces, `${'QUJD'.repeat(60)}`, /^240 characters/],
  ['a word of two alphabets', foreignScript, 'my p\u0430ssword', /two alphabets/],
  ['Russian that claims to be English', foreignScript, 'Сертификат истёк три дня назад.', /script of its language, en/],
];

const innocent: [string, TextCheck, string, string][] = [
  ['a Persian text', hidden, 'می\u200cخواهم', 'en'],
  ['a file name', links, 'Edit config.yaml and main.ts.', 'en'],
  ['a domain with an umlaut', lookAlikeDomains, 'https://müller.example', 'en'],
  ['a Cyrillic domain that no Latin one resembles', lookAlikeDomains, 'https://яндекс.рф', 'en'],
  ['code that compares', markup, 'if a < b and c > d, List<String>', 'en'],
  ['dates and amounts', personalData, 'From 01.06.2026 to 2026-07-01 it was 1.000.000,00 EUR, in 2024 0.5.', 'en'],
  ['an address in words', personalData, 'Meet us @ the office', 'en'],
  ['an acronym', shouting, 'We use SAP, AWS, GCP, SOC2, ISO and HIPAA for everything here.', 'en'],
  ['Chinese', noSpaces, '知'.repeat(500), 'zh'],
  ['Chinese in its script', foreignScript, '我们在一个周末迁移了数据库，星期一没有人注意到。这很好。', 'zh'],
  ['Japanese', foreignScript, 'データベースを週末に移行しましたが誰も気づきませんでした', 'ja'],
  ['an unknown language', foreignScript, 'Сертификат истёк три дня назад.', ''],
];

describe('checks of a text', () => {
  it.each(findings)('find %s', (_, check, body, found) => {
    expect(check(text(body))).toMatchObject({ weight: expect.any(Number), text: expect.stringMatching(found) });
  });

  it.each(innocent)('find nothing in %s', (_, check, body, language) => {
    expect(check(text(body, language))).toBeUndefined();
  });

  it('end for hostile texts of 8,000 characters', () => {
    const units = ['http://', 'a@', '<a', '0 ', '+0-', 'АA', 'a.', '!', '\u200b', 'www.'];
    for (const unit of units) expect(assess(text(unit.repeat(8000 / unit.length)), usual).risk).toBeLessThan(100);
  });
});

describe('checks of the background', () => {
  it('find what the service knows about human, agent and other texts', () => {
    expect(rejectedBefore({ ...usual, rejected: 2 })).toEqual({
      weight: 15,
      text: '2 texts of this human rejected before',
    });
    expect(firstOfHuman({ ...usual, earlier: 0 })?.text).toBe('the first contribution of this human');
    expect(busyAgent({ ...usual, ofAgentToday: 5 })?.text).toMatch(/^5 contributions of this agent/);
    const nearest = { percent: 84, sameHuman: false };
    expect(nearDuplicate({ ...usual, nearest })?.text).toBe('84 % the same as a text of another human');
    expect(nearDuplicate({ ...usual, nearest: { ...nearest, percent: 60 } })).toBeUndefined();
  });
});

describe('assess', () => {
  it('adds nothing to a usual text', () => {
    expect(assess(text('We moved four plants, and the fifth moved us.'), usual)).toEqual({ risk: 0, findings: [] });
  });

  it('sums the findings, heaviest first, up to 100', () => {
    const body = '<script> BUY\u202e p\u0430y jo@example.org http://bit.ly/x https://xn--a.com data:text/html,x !!!!';
    const worst = { rejected: 9, earlier: 0, ofAgentToday: 50, nearest: { percent: 100, sameHuman: false } };
    const { risk, findings } = assess(text(body), worst);
    expect(risk).toBe(100);
    const weights = findings.map(({ weight }) => weight);
    expect(weights).toEqual(weights.toSorted((one, other) => other - one));
    expect(new Set(findings.map(({ check }) => check)).size).toBe(findings.length);
    for (const each of findings) expect(each.text.length).toBeLessThanOrEqual(200);
  });
});
