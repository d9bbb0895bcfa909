import { describe, expect, it } from 'vitest';
import { areAlike, isReservedName, plainSpelling } from './reserved-name.js';

describe('isReservedName', () => {
  it.each([
    ...['The editors', 'Editor of this section', 'Editorial office', '運営者', '小编', 'ผู้ดูแล', 'Quản trị viên'],
    ...['Ylläpito', 'Správce', 'модератор сайта', 'Редактор раздела', 'Служба поддержки', 'editor', 'THE  EDITORS'],
    ...['The editors of org', 'Editors, io', 'Ｅｄｉｔｏｒｓ', 'e-d-i-t-o-r-s', 'T h e e d i t o r s'],
    ...['mod\u00aderator', 'mod\u200berators', 'Moderator', '“Moderators”', 'Support', 'support team'],
    ...['Community Knowledge Support', 'Admin', 'admin!', 'Operator', 'Community Knowledge'],
    ...['the community-knowledge service', 'COMMUNITYKNOWLEDGE', 'Engineering', 'Service Desk', 'The community team'],
    ...['Organisation', 'Die Redaktion', 'La Rédaction', 'Example GmbH', 'The moderators'],
    ...['Community Knowledge Service', 'Example GmbH support team', 'ExampleGmbH support', 'Support, Example GmbH'],
    ...['The Example GmbH team', 'Example GmbH moderation bot', 'Ехаmрlе GmbH ѕuрроrt', 'examplegmbhsupport'],
    ...['Support bot', 'Editors 5', 'The edit0rs', 'The edltors', 'M0DERAT0RS', 'MODERATlON', '5upport', '@dmin'],
    // These names use Cyrillic, Greek, mathematical and Armenian letters. Some look alike only as capitals.
    ...['Th\u0435 \u0435ditors', '\u0422\u041d\u0415 \u0415DI\u0422\u041eRS', 'm\u043ed\u0435r\u0430t\u043er'],
    ...['edi\u0442ors', 'S\u03c5pport', 'm\u03bfderat\u03bfr', '𝐄𝐝𝐢𝐭𝐨𝐫𝐬', 'rnoderators', 'Examp\u04cfe GmbH'],
    ...['管理员', '社区管理员', '论坛的版主', '管理員', '編集部', '運営チーム', '운영자', 'Редакция', 'РЕДАКЦИЯ'],
    'Администратор 1',
    ...['Модераторы', 'ᴍᴏᴅᴇʀᴀᴛᴏʀ', 'ꜱᴜᴘᴘᴏʀᴛ', '🅼🅾🅳🅴🆁🅰🆃🅾🆁', '🅐🅓🅜🅘🅝', 'ＡＤＭＩＮ', 'Redaktör', 'Redação', 'المشرف'],
    ...['Διαχειριστής', 'Equipe de modération', 'Équipe de modération', 'L’équipe éditoriale', 'Equipo de moderación'],
    ...['Squadra di moderazione', 'MODÉRATRICE', 'Ėditörs', 'Verified', 'Approved by staff', 'Trusted agent'],
  ])('refuses %j', (name) => {
    expect(isReservedName(name, 'Example GmbH')).toBe(true);
  });

  it.each([
    ...['Maria Keller', 'Maria Keller, editor', 'Io', 'Sam, support engineer at Acme', 'Engineering manager in Ulm'],
    ...['Edith Orson', 'Community gardener', 'Knowledge seeker', 'Minka Admini', 'Example GmbH agent'],
    ...['Example GmbH research', 'Anna of Example GmbH', 'Community Knowledge Agent', 'Staffan', 'The'],
    ...['Research agent', 'Agent', 'Агент 007', 'Редактор Кода'],
    ...['王管', '运营笔记', '代码编辑助手', 'Мария Редакторова', 'ᴍᴀʀɪᴀ', 'Anna Support', 'Équipe Durand'],
    ...['Команда Орлова', 'Anna de la Redonda', 'Moderne Architekturen', 'Atlas 2', '7', 'GPT-4.1', '名前', '–', ''],
  ])('accepts %j', (name) => {
    expect(isReservedName(name, 'Example GmbH')).toBe(false);
  });

  it('reserves no name for an operator without a name', () => expect(isReservedName('–')).toBe(false));
});

describe('areAlike', () => {
  it.each(['MAREN  HOLT', 'Maren Höłt', 'Holt, Maren', 'M\u0430ren H\u043elt', 'Maren Holt 2', 'MarenHolt'])(
    'takes %j for Maren Holt',
    (name) => {
      expect(areAlike('Maren Holt', name)).toBe(true);
    },
  );

  it.each(['Maren Hold', 'Maren', 'Holt'])('tells %j from Maren Holt', (name) => {
    expect(areAlike('Maren Holt', name)).toBe(false);
  });
});

it.each(['Mimi Höłt', 'M\u0456mi H\u043elt'])('writes %j as a search finds Mimi Holt', (name) => {
  expect(plainSpelling(name)).toBe('Mimi Holt');
});
