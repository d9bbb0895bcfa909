import type { PutGlossRequest } from '@knowledge/proto/knowledge/content/v1/search';
import { FieldReader } from '../import/fields.js';

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
  const name = text.$case === 'article' ? text.value.slug : id;
  return { name, request: { text, gloss, reason }, unknown: reader.unknown() };
}
