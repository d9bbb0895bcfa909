import type { CommunityObject } from '@knowledge/proto/knowledge/content/v1/content';
import { presentObject } from '../../present/object.js';
import { requireField } from '../../present/require-field.js';
import { sites } from '../../words.js';
import { timeOfField } from '../http/form-field.js';

/** More than any field may have, so that the service says what is too long and nothing typed is lost. */
export const most = {
  site: 10,
  title: 10_000,
  summary: 10_000,
  author: 10_000,
  language: 1000,
  published_at: 1000,
  body: 400_000,
  reason: 20_000,
};

export type ObjectField = keyof typeof most;

/** What an editor has typed, as it was typed. */
export type ObjectForm = Readonly<Record<ObjectField, string>>;

export const fieldNames = Object.keys(most) as ObjectField[];

export const emptyForm = Object.fromEntries(fieldNames.map((name) => [name, ''])) as ObjectForm;

/** Fills a form with a stored object. */
export function formOf({ entry, body }: CommunityObject): ObjectForm {
  const { site, title, summary, author, language, published_at } = presentObject(requireField(entry));
  const optional = { author: author ?? '', language: language ?? '', published_at: published_at ?? '' };
  return { ...emptyForm, ...optional, site, title, summary, body };
}

/**
 * Turns a form into the fields of a put.
 *
 * @throws KnowledgeError `validation_error` for a time that nobody can read.
 */
export function fieldsOf({ site, published_at, language, ...others }: ObjectForm) {
  const publishedAt = timeOfField('published_at', published_at);
  return { ...others, site: sites.toWire(site), language: language.trim(), publishedAt };
}
