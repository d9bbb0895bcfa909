import { lookAlikes } from './look-alike.js';

/**
 * Whether readers would take a name for the service, its operator or those who work for it, also where it is written with
 * letters, digits or signs that look like others.
 */
export function isReservedName(name: string, operatorName = ''): boolean {
  const operators = operatorName === '' ? [] : joinedForms(operatorName);
  // "Editors 5" is "editors" too.
  const unnumbered = name.replace(/[^\p{L}\p{N}]*\p{N}+\s*$/u, '');
  return [name, unnumbered].flatMap(lookAlikes).some((form) => isReserved(wordsOf(form), operators));
}

function isReserved(words: readonly string[], operators: readonly string[]): boolean {
  const joined = words.join('');
  // An operator with a name of signs alone reserves nothing.
  if (reservedWhole.has(joined) || (joined !== '' && operators.includes(joined))) return true;
  const telling = words.filter((word) => !beside.has(word));
  return telling.length > 0 && telling.every((word) => reserved.has(word));
}

// "T.h.e  ＥＤＩＴＯＲＳ" and "the editors" are the same words; what kind of program it is says nothing.
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

// Roles and names; a name of nothing but these is refused.
const reserved = formsOf(roles);

// Names of several words, and what is left of a name that is written apart.
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

// They say nothing by themselves: "The editors of org", "Community Knowledge support team".
const beside = formsOf(
  `the a an our your of at for from on in by and team desk site service community knowledge io die der das la le les el los
   von bei de du`,
);
