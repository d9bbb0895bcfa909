import { lookAlikes } from './look-alike.js';

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

function isReserved(words: readonly string[], owners: readonly string[][]): boolean {
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
function formsWithoutAccents(text: string): readonly string[] {
  return lookAlikes(text.normalize('NFD').replace(/\p{M}/gu, ''));
}

// Splits a name into words, so that "T.h.e  ＥＤＩＴＯＲＳ" equals "the editors".
function wordsOf(form: string): string[] {
  const words = form.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return the.has(words[0] ?? '') ? words.slice(1) : words;
}

function formsOf(words: string | readonly string[]): Set<string> {
  return new Set((typeof words === 'string' ? words.split(/\s+/) : words).flatMap(formsWithoutAccents));
}

const serviceNames = ['Community Knowledge', 'Community Knowledge Service', 'Knowledge Service'];
const the = formsOf('the');
// "Support bot" stands for the support. "Acme agent" does not stand for the operator Acme.
const programs = formsOf('agent agents bot bots assistant assistants ai');

const roleNames =
  `editor editors editorial editorship moderator moderators moderation support admin admins administrator
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
  व्यवस्थापक संपादक मॉडरेटर`.split(/\s+/);

const roles = formsOf(roleNames);
const joinedRoles = formsOf(['the', ...roleNames, ...roleNames.map((word) => `the${word}`)]);

// Alone, these stand for the service; other words beside it are also names of people, such as Le or Von.
const teams = 'team équipe equipo equipe squadra zespół ekip ekibi команда група ομάδα فريق';
const parts = formsOf(`${teams} desk site service community knowledge`);

// These words do not make a name different, as in "The editors of org" or "Community Knowledge support team".
const beside = formsOf(
  `${teams} the a an our your of at for from on in by and desk site service community knowledge io die der das la le les el los
   l von bei de du des di do da del della dei`,
);

// The same in scripts without spaces between words.
const besideJoined =
  /社区|社區|论坛|論壇|本站|网站|網站|团队|團隊|チーム|사이트|(?<=[\p{sc=Han}\p{sc=Kana}])[的の]|(?<=\p{sc=Hang})팀/gu;

/** Whether a client sent what its configuration left unfilled, such as `${TOKEN}`, `<token>`, `%ID%` or `undefined`. */
export function isPlaceholder(value: string): boolean {
  return /^(?:undefined|null|none|\[object object\]|<.*>|%.*%|\$\w+|your[-_ ].*)$|\$\{|\{\{/i.test(value.trim());
}
