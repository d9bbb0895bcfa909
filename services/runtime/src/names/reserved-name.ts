import { lookAlikes } from './look-alike.js';

/**
 * Whether people could mistake a name for the service, its operator or its staff. Letters, digits and signs that look
 * like a Latin letter are compared as that letter.
 */
export function isReservedName(name: string, operatorName = ''): boolean {
  const operators = operatorName === '' ? [] : joinedForms(operatorName);
  // Removes a number at the end, so that "Editors 5" is reserved like "editors".
  const unnumbered = name.replace(/[^\p{L}\p{N}]*\p{N}+\s*$/u, '');
  return [name, unnumbered].flatMap(lookAlikes).some((form) => isReserved(wordsOf(form), operators));
}

function isReserved(words: readonly string[], operators: readonly string[]): boolean {
  const joined = words.join('');
  // An operator name that contains only signs becomes empty and reserves no name.
  if (reservedWhole.has(joined) || (joined !== '' && operators.includes(joined))) return true;
  const telling = words.filter((word) => !beside.has(word));
  return telling.length > 0 && telling.every((word) => reserved.has(word));
}

// Splits a name into words, so that "T.h.e  ＥＤＩＴＯＲＳ" equals "the editors". Words such as "agent" are dropped.
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

// A name that consists only of these words is refused.
const reserved = formsOf(roles);

// Reserved names of several words. They are also refused without spaces.
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

// These words do not make a name different, as in "The editors of org" or "Community Knowledge support team".
const beside = formsOf(
  `the a an our your of at for from on in by and team desk site service community knowledge io die der das la le les el los
   von bei de du`,
);
