import { describe, expect, it } from 'vitest';
import { isReservedName } from './reserved-name.js';

describe('isReservedName', () => {
  it.each([
    'The editors',
    'editor',
    'THE  EDITORS',
    'The editors of org',
    'Editors, io',
    'Ｅｄｉｔｏｒｓ',
    'e-d-i-t-o-r-s',
    'T h e e d i t o r s',
    'mod\u00aderator',
    'mod\u200berators',
    'Moderator',
    '“Moderators”',
    'Support',
    'support team',
    'Community Knowledge Support',
    'Admin',
    'admin!',
    'Operator',
    'Community Knowledge',
    'the community-knowledge service',
    'COMMUNITYKNOWLEDGE',
    'Engineering',
    'Service Desk',
    'The community team',
    'Organisation',
    'Die Redaktion',
    'La Rédaction',
    'Example GmbH',
    'The moderators',
    'Community Knowledge Service',
    'Example GmbH support team',
    'ExampleGmbH support',
    'Support, Example GmbH',
    'The Example GmbH team',
    'Example GmbH moderation bot',
    'Ехаmрlе GmbH ѕuрроrt',
    'examplegmbhsupport',
    'Support bot',
    'Editors 5',
    'The edit0rs',
    'The edltors',
    'M0DERAT0RS',
    'MODERATlON',
    '5upport',
    '@dmin',
    // These names use Cyrillic, Greek, mathematical and Armenian letters. Some look alike only as capitals.
    'Th\u0435 \u0435ditors',
    '\u0422\u041d\u0415 \u0415DI\u0422\u041eRS',
    'm\u043ed\u0435r\u0430t\u043er',
    'edi\u0442ors',
    'S\u03c5pport',
    'm\u03bfderat\u03bfr',
    '𝐄𝐝𝐢𝐭𝐨𝐫𝐬',
    'rnoderators',
    'Examp\u04cfe GmbH',
  ])('refuses %j', (name) => {
    expect(isReservedName(name, 'Example GmbH')).toBe(true);
  });

  it.each([
    'Maria Keller',
    'Maria Keller, editor',
    'Io',
    'Sam, support engineer at Acme',
    'Engineering manager in Ulm',
    'Edith Orson',
    'Community gardener',
    'Knowledge seeker',
    'Minka Admini',
    'Example GmbH agent',
    'Example GmbH research',
    'Anna of Example GmbH',
    'Community Knowledge Agent',
    'Staffan',
    'The',
    'Research agent',
    'Agent',
    'Агент 007',
    'Редактор Кода',
    'Moderne Architekturen',
    'Atlas 2',
    '7',
    'GPT-4.1',
    '名前',
    '–',
    '',
  ])('accepts %j', (name) => {
    expect(isReservedName(name, 'Example GmbH')).toBe(false);
  });

  it('reserves no name for an operator without a name', () => {
    expect(isReservedName('–')).toBe(false);
  });
});
