import { getDomain } from 'tldts';
import unhomoglyph from 'unhomoglyph';
import { withoutHiddenCharacters } from '../text/hidden-characters.js';

/**
 * Returns two forms of a text; texts that look alike have equal forms. The forms are lower-case skeletons of Unicode
 * TR39. Two are needed, since a foreign letter may look like a Latin one only as a capital (т, Т) or only as a small
 * letter (ν, Ν).
 */
export function lookAlikes(text: string): readonly string[] {
  const shown = withoutHiddenCharacters(text.normalize('NFKC')).replace(drawn, (letter) => plainOf(letter));
  return [shown, shown.toUpperCase()].map(skeleton);
}

/** Whether people could take one name for the other: a number at the end and signs make no difference. */
export function areAlike(one: string, other: string): boolean {
  const forms = formsOfName(one);
  return formsOfName(other).some((form) => forms.includes(form));
}

/** What a name looks like without accents, as it stands and with its words in order: `Holt, Maren` is `Maren Holt`. */
function formsOfName(name: string) {
  const words = withoutAccents(name.normalize('NFKC')).match(/[\p{L}\p{N}]+/gu) ?? [];
  const inOrder = words.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1));
  return [words, inOrder].flatMap((each) => lookAlikes(each.join('').replace(/(?<=\p{L}.*)\p{N}+$/u, '')));
}

/** A name in the Latin letters that it looks like, without accents, by which a search finds whose it is. */
export function plainSpelling(name: string): string {
  // The skeleton of a plain letter may be two others: that of m is rn.
  return withoutAccents(withoutAccents(name).replace(/[^\p{ASCII}]+/gu, unhomoglyph));
}

function withoutAccents(text: string) {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}

function skeleton(text: string) {
  // The first call maps the capital letters, and the second one maps their small letters.
  const small = withoutAccents(unhomoglyph(unhomoglyph(text).toLowerCase())).toLowerCase();
  return small.replace(/[l134578$@]/g, (character) => readAs[character] ?? character);
}

// TR39 maps 0 to o. People also read these other digits and signs as letters. I, l and 1 become the same letter.
const readAs: Readonly<Record<string, string>> = {
  l: 'i',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  $: 's',
  '@': 'a',
};

// Small capitals, and letters in black circles, black squares and flags, which Unicode does not map to letters.
const smallCapitals = new Map(
  [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ'].map((letter, at) => [letter, 'abcdefghijklmnopqrstuvwyz'[at] ?? '']),
);
const drawn = new RegExp(
  `[${[...smallCapitals.keys()].join('')}\\u{1f150}-\\u{1f169}\\u{1f170}-\\u{1f189}\\u{1f1e6}-\\u{1f1ff}]`,
  'gu',
);

function plainOf(letter: string) {
  const point = letter.codePointAt(0) ?? 0;
  const first = [0x1f1e6, 0x1f170, 0x1f150].find((each) => point >= each) ?? point;
  return smallCapitals.get(letter) ?? String.fromCharCode(0x61 + point - first);
}

/** Whether a host name has Punycode, or a part with foreign letters that people read as Latin ones. */
export function looksLikeAnother(host: string): boolean {
  return host
    .toLowerCase()
    .split('.')
    .some((label) => {
      if (label.startsWith('xn--')) return true;
      return foreign.test(label) && lookAlikes(label).some((form) => /^[a-z0-9-]+$/.test(form));
    });
}

/** A letter that is not Latin, or a sign that no host name has. */
const foreign = /(?!\p{sc=Latin})\p{L}|[^\p{ASCII}\p{L}\p{M}\p{N}-]/u;

/**
 * The domain that somebody registers, with all those below it: `wave.co.uk` for `a.b.wave.co.uk`. With `private` also
 * below the domain of a provider: `wave.github.io`.
 */
export function registrableDomain(host: string, below: 'public' | 'private' = 'public'): string {
  return getDomain(host, { allowPrivateDomains: below === 'private' }) ?? host;
}

/**
 * Whether people could mistake a name for the service, its operator or its staff. Such a name has nothing but their
 * names and words of their roles. Letters, digits and signs that look like a Latin letter are compared as that letter.
 */
export function isReservedName(name: string, operatorName = ''): boolean {
  const owners = [...serviceNames, operatorName]
    .flatMap(formsWithoutAccents)
    .map(wordsOf)
    .filter(({ length }) => length > 0);
  // Removes a number at the end, so that "Editors 5" is reserved like "editors".
  const unnumbered = name.replace(/[^\p{L}\p{N}]*\p{N}+\s*$/u, '');
  return [name, unnumbered].flatMap(formsWithoutAccents).some((form) => isReserved(wordsOf(form), owners));
}

function isReserved(words: readonly string[], owners: readonly string[][]) {
  const joined = words.join('').replace(besideJoined, '');
  // A name without spaces, or with a space after each letter.
  const isJoined = (owner: string) => joined === owner || joinedRoles.has(joined.replace(owner, ''));
  if (joinedRoles.has(joined) || owners.some((owner) => isJoined(owner.join('')))) return true;
  const spaced = ` ${words.join(' ')} `;
  const rest = owners.reduce((left, owner) => left.replace(` ${owner.join(' ')} `, ' '), spaced);
  const telling = wordsOf(rest).filter((word) => !beside.has(word));
  if (telling.some((word) => roles.has(word))) return telling.every((word) => roles.has(word) || programs.has(word));
  return telling.length === 0 && (rest !== spaced || words.some((word) => parts.has(word)));
}

// Some letters with an accent look like another letter than without it.
function formsWithoutAccents(text: string) {
  return lookAlikes(withoutAccents(text));
}

// Splits a name into words, so that "T.h.e  ＥＤＩＴＯＲＳ" equals "the editors".
function wordsOf(form: string) {
  const words = form.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return the.has(words[0] ?? '') ? words.slice(1) : words;
}

function formsOf(words: string | readonly string[]) {
  return new Set((typeof words === 'string' ? words.split(/\s+/) : words).flatMap(formsWithoutAccents));
}

const serviceNames = ['Community Knowledge', 'Community Knowledge Service', 'Knowledge Service'];
const the = formsOf('the');
// "Support bot" stands for the support. "Acme agent" does not stand for the operator Acme.
const programs = formsOf('agent agents bot bots assistant assistants ai');

const roleNames = `verified approved trusted certified verifiziert vérifié verificado verificato
  editor editors editorial editorship moderator moderators moderation support admin admins administrator
  administrators administration operator operators helpdesk staff official engineering organisation organization org
  redaktion redakteur moderatoren betreiber redaction moderateur moderateurs redaccion moderador moderadores redakcja
  moderatorzy redaktor redaktorzy administratorzy administracja moderacja moderação suporte redação soporte administrador
  administradores administrateur administrateurs administratoren moderation modération redazione redattore moderatore moderatori
  amministratore amministrazione redactie moderatoren beheerder redaktör redaktion yönetici yönetim moderatör editör destek
  moderación moderazione modératrice éditeur éditrice éditeurs rédacteur rédactrice rédacteurs éditoriale administración administração
  administration amministratori redattori модераторов редакции redakcyjny moderatorów kundendienst kundenservice moderationsteam redaktionsteam supportteam
  редакция редактор редакторы модератор модераторы модерация администратор администраторы администрация админ поддержка
  редакція модератори адміністратор адміністрація підтримка διαχειριστής συντονιστής σύνταξη υποστήριξη
  管理员 管理員 管理者 管理人 版主 编辑 編輯 编辑部 編輯部 編集部 編集者 审核员 審核員 客服 官方 站长 モデレーター 運営 サポート 公式
  관리자 운영자 운영팀 편집자 편집부 모더레이터 고객지원 المشرف مشرف المشرفون الإدارة المدير الدعم المحرر التحرير
  運営者 運営事務局 小编 小編 ผู้ดูแล ผู้ดูแลระบบ quảntrịviên ylläpito ylläpitäjä správce správca administrátor moderátor поддержки
  व्यवस्थापक संपादक मॉडरेटर`.split(/\s+/);

const roles = formsOf(roleNames);
const joinedRoles = formsOf(['the', ...roleNames, ...roleNames.map((word) => `the${word}`)]);

// Alone, these stand for the service; other words beside it are also names of people, such as Le or Von.
const teams = 'служба team équipe equipo equipe squadra zespół ekip ekibi команда група ομάδα فريق';
const parts = formsOf(`${teams} desk site service community knowledge`);

// These words do not make a name different, as in "The editors of org" or "Community Knowledge support team".
const beside = formsOf(
  `${teams} the a an our your of at for from on in by and desk site service community knowledge io die der das la le les el los
   l von bei de du des di do da del della dei this section office room сайта раздела форума портала`,
);

// The same in scripts without spaces between words.
const besideJoined =
  /社区|社區|论坛|論壇|本站|网站|網站|团队|團隊|チーム|사이트|(?<=[\p{sc=Han}\p{sc=Kana}])[的の]|(?<=\p{sc=Hang})팀/gu;

/** Whether a client sent what its configuration left unfilled, such as `${TOKEN}`, `<token>`, `%ID%` or `undefined`. */
export function isPlaceholder(value: string): boolean {
  return /^(?:undefined|null|none|\[object object\]|<.*>|%.*%|\$\w+|your[-_ ].*)$|\$\{|\{\{/i.test(value.trim());
}
