import { lookAlikes } from './look-alike.js';

/**
 * Whether people could mistake a name for the service, its operator or its staff. Such a name has nothing but their
 * names and words of their roles. Letters, digits and signs that look like a Latin letter are compared as that letter.
 */
export function isReservedName(name: string, operatorName = ''): boolean {
  const owners = [...serviceNames, operatorName]
    .flatMap(lookAlikes)
    .map(wordsOf)
    .filter(({ length }) => length > 0);
  // Removes a number at the end, so that "Editors 5" is reserved like "editors".
  const unnumbered = name.replace(/[^\p{L}\p{N}]*\p{N}+\s*$/u, '');
  return [name, unnumbered].flatMap(lookAlikes).some((form) => isReserved(wordsOf(form), owners));
}

function isReserved(words: readonly string[], owners: readonly string[][]): boolean {
  const joined = words.join('');
  // A name without spaces, or with a space after each letter.
  const isJoined = (owner: string) => joined === owner || joinedRoles.has(joined.replace(owner, ''));
  if (joinedRoles.has(joined) || owners.some((owner) => isJoined(owner.join('')))) return true;
  const spaced = ` ${words.join(' ')} `;
  const rest = owners.reduce((left, owner) => left.replace(` ${owner.join(' ')} `, ' '), spaced);
  const telling = wordsOf(rest).filter((word) => !beside.has(word));
  if (telling.some((word) => roles.has(word))) return telling.every((word) => roles.has(word) || programs.has(word));
  return telling.length === 0 && (rest !== spaced || words.some((word) => parts.has(word)));
}

// Splits a name into words, so that "T.h.e  ＥＤＩＴＯＲＳ" equals "the editors".
function wordsOf(form: string): string[] {
  const words = form.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return the.has(words[0] ?? '') ? words.slice(1) : words;
}

function formsOf(words: string | readonly string[]): Set<string> {
  return new Set((typeof words === 'string' ? words.split(/\s+/) : words).flatMap(lookAlikes));
}

const serviceNames = ['Community Knowledge', 'Community Knowledge Service', 'Knowledge Service'];
const the = formsOf('the');
// "Support bot" stands for the support. "Acme agent" does not stand for the operator Acme.
const programs = formsOf('agent agents bot bots assistant assistants ai');

const roleNames =
  `editor editors editorial editorship moderator moderators moderation support admin admins administrator
  administrators administration operator operators helpdesk staff official engineering organisation organization org
  redaktion redakteur moderatoren betreiber redaction moderateur moderateurs redaccion moderador moderadores redakcja
  moderatorzy`.split(/\s+/);

const roles = formsOf(roleNames);
const joinedRoles = formsOf(['the', ...roleNames, ...roleNames.map((word) => `the${word}`)]);

// Alone, these stand for the service; other words beside it are also names of people, such as Le or Von.
const parts = formsOf('team desk site service community knowledge');

// These words do not make a name different, as in "The editors of org" or "Community Knowledge support team".
const beside = formsOf(
  `the a an our your of at for from on in by and team desk site service community knowledge io die der das la le les el los
   von bei de du`,
);
