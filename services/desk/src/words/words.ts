import type { PutGlossRequest, Synonym } from '@knowledge/proto/knowledge/content/v1/search';
import { dump } from 'js-yaml';
import type { Presented } from '../base/presented.js';
import { sites } from '../base/words.js';
import { FieldReader } from '../files/fields.js';

/** A group of synonyms with the field names of the files. */
export type SynonymView = Presented<Synonym>;

/**
 * Reads a group from an entry of a file. Without an id its first word names it.
 *
 * @throws FileProblem if a field is missing or has the wrong type.
 */
export function readSynonym(fields: Readonly<Record<string, unknown>>) {
  const reader = new FieldReader(fields);
  const words = reader.words('words');
  const from = reader.words('from');
  const id = reader.text('id') || synonymId(from[0] ?? words[0] ?? '');
  if (words.length === 0) reader.faults.push('words: is missing');
  else if (id === '') reader.faults.push('id: is missing, and the first word cannot name the group');
  reader.finish();
  return { name: id, request: synonymOf({ id, words, from }), unknown: reader.unknown() };
}

/** A group to put. The service knows who changed it and when. */
export function synonymOf(group: Pick<Synonym, 'id' | 'words' | 'from'>): Synonym {
  return { ...group, updatedBy: '', updatedAt: undefined };
}

/** Makes the id of a group from a word. It is empty if the word has none of the letters `a-z` and digits. */
export function synonymId(word: string): string {
  const plain = word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ł', 'l').replaceAll('ß', 'ss');
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 80)
    .replace(/-$/, '');
}

/** Whether a group has a word that contains this text, in upper or lower case. */
export function hasWord({ words, from }: Pick<SynonymView, 'words' | 'from'>, text: string): boolean {
  const wanted = text.toLowerCase();
  return [...words, ...from].some((each) => each.toLowerCase().includes(wanted));
}

/** Writes groups as YAML that an import reads. */
export function synonymsYaml(groups: readonly Synonym[]): string {
  const entries = groups.map(({ id, words, from }) => ({ id, ...(from.length > 0 && { from }), words }));
  return dump(entries, { lineWidth: 140, flowLevel: 2 });
}

/**
 * Reads a gloss from an entry of a file. The entry names an article by site and slug, or an object by its id.
 *
 * @throws FileProblem if a field is missing or has the wrong type.
 */
export function readGloss(fields: Readonly<Record<string, unknown>>, given: string | undefined, reason: string) {
  const reader = new FieldReader(fields);
  const id = reader.text('id').toLowerCase();
  const text: PutGlossRequest['text'] =
    id === ''
      ? { $case: 'article', value: { slug: reader.text('slug', { required: true }), site: reader.site(given) } }
      : { $case: 'objectId', value: id };
  const gloss = { title: reader.text('title', { required: true }), summary: reader.text('summary').trim() };
  // The file may say the language for its readers.
  reader.text('language');
  reader.finish();
  // Both sites may have the slug.
  const name = text.$case === 'article' ? `${sites.fromWire(text.value.site)}/${text.value.slug}` : id;
  return { name, request: { text, gloss, reason }, unknown: reader.unknown() };
}
