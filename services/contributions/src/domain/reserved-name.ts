import { withoutHiddenCharacters } from '@knowledge/runtime';

/** Whether readers would take a name for the service, its operator or those who work for it. */
export function isReservedName(name: string, operatorName = ''): boolean {
  const words = wordsOf(name);
  const joined = words.join('');
  if (reservedWhole.has(joined) || (operatorName !== '' && joined === wordsOf(operatorName).join(''))) return true;
  const telling = words.filter((word) => !beside.has(word));
  return telling.length > 0 && telling.every((word) => reserved.has(word));
}

// "T.h.e  ＥＤＩＴＯＲＳ" and "the editors" are the same words.
function wordsOf(name: string): string[] {
  const folded = withoutHiddenCharacters(name.normalize('NFKC'))
    .replace(/\u00ad/g, '')
    .toLowerCase();
  const plain = folded.normalize('NFD').replace(/\p{M}/gu, '');
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words[0] === 'the' ? words.slice(1) : words;
}

// Roles and names; a name of nothing but these is refused.
const reserved = new Set(
  `editor editors editorial editorship moderator moderators moderation support admin admins administrator administrators
   administration operator operators helpdesk staff official engineering organisation organization org
   redaktion redakteur moderatoren betreiber redaction moderateur moderateurs redaccion moderador moderadores redakcja
   moderatorzy`.split(/\s+/),
);

// Names of several words, and what is left of a name that is written apart.
const reservedWhole = new Set([
  ...[...reserved].flatMap((word) => [word, `the${word}`]),
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
const beside = new Set(
  `the a an our your of at for from on in by and team desk site service community knowledge io die der das la le les el los
   von bei de du`.split(/\s+/),
);
