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
    'Organisation',
    'Die Redaktion',
    'La Rédaction',
    'Example GmbH',
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
    '–',
    '',
  ])('lets %j pass', (name) => {
    expect(isReservedName(name, 'Example GmbH')).toBe(false);
  });

  it('reserves nothing for an operator without a name', () => {
    expect(isReservedName('–')).toBe(false);
  });
});
