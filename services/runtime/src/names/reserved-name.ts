import { lookAlikes } from './look-alike.js';

/**
 * Whether a name could be mistaken for the service, its operator or its staff. Look-alike letters, digits and signs
 * count as the letters that they resemble.
 */
export function isReservedName(name: string, operatorName = ''): boolean {
  const operators = operatorName === '' ? [] : joinedForms(operatorName);
  // "Editors 5" counts as "editors".
  const unnumbered = name.replace(/[^\p{L}\p{N}]*\p{N}+\s*$/u, '');
  return [name, unnumbered].flatMap(lookAlikes).some((form) => isReserved(wordsOf(form), operators));
}

function isReserved(words: readonly string[], operators: readonly string[]): boolean {
  const joined = words.join('');
  // An operator name made only of signs reserves nothing.
  if (reservedWhole.has(joined) || (joined !== '' && operators.includes(joined))) return true;
  const telling = words.filter((word) => !beside.has(word));
  return telling.length > 0 && telling.every((word) => reserved.has(word));
}

// "T.h.e  ＥＤＩＴＯＲＳ" and "the editors" have the same words. Words such as "agent" are ignored.
function wordsOf(form: string): string[] {
  const words = form.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !programs.has(word));
  return the.has(words[0] ?? '') ? words.slice(1) : words;
}

function joinedForms(name: string): string[] {
  return lookAlikes(name).map((form) => wordsOf(form).join(''));
}

function formsOf(words: string | readonly string[]): Set<string> {
  return new Set((typeof words === 'string' ? words.split(/\s+/) : words).flatMap(lookAlikes));
}

const the = formsOf('the');
const programs = formsOf('agent agents bot bots assistant assistants ai');

const roles = `editor editors editorial editorship moderator moderators moderation support admin admins administrator
  administrators administration operator operators helpdesk staff official engineering organisation organization org
  redaktion redakteur moderatoren betreiber redaction moderateur moderateurs redaccion moderador moderadores redakcja
  moderatorzy`.split(/\s+/);

// A name made only of these words is refused.
const reserved = formsOf(roles);

// Names of several words, also when written without spaces.
const reservedWhole = formsOf([
  ...roles.flatMap((word) => [word, `the${word}`]),
  'communityknowledge',
  'communityknowledgeservice',
  'thecommunityknowledge',
  'thecommunityknowledgeservice',
  'knowledgeservice',
  'theknowledgeservice',
  'communityknowledgeengineering',
  'communityknowledgeorganisation',
]);

// Words that add nothing, as in "The editors of org" or "Community Knowledge support team".
const beside = formsOf(
  `the a an our your of at for from on in by and team desk site service community knowledge io die der das la le les el los
   von bei de du`,
);
