import type { KnowledgeError } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import { presentEntry } from '../../article/article-fields.js';
import type { ArticleText } from '../../difference/article-difference.js';
import { FieldReader } from '../../import/fields.js';
import { type FormFaults, readFaults, readValues } from '../forms/form-values.js';
import { timeOfField } from '../http/form-field.js';

/** What an editor has typed, as it was typed. A refused form shows it again. */
export interface ArticleForm {
  readonly title: string;
  readonly summary: string;
  readonly tags: string;
  readonly author: string;
  readonly language: string;
  readonly published_at: string;
  readonly body: string;
  readonly reason: string;
}

/** A field of the form; a new article has two more for its name. */
export type FormField = keyof ArticleForm | 'site' | 'slug';

/** More than any field may have, so that the service says what is too long and nothing typed is lost. */
export const most: Readonly<Record<keyof ArticleForm, number>> = {
  title: 10_000,
  summary: 10_000,
  tags: 10_000,
  author: 10_000,
  language: 1000,
  published_at: 1000,
  body: 400_000,
  reason: 20_000,
};

const formFields = Object.keys(most) as (keyof ArticleForm)[];

export const emptyForm = Object.fromEntries(formFields.map((name) => [name, ''])) as Record<keyof ArticleForm, string>;

export function readArticleForm(request: FastifyRequest): ArticleForm {
  return readValues(request, most);
}

/** Fills a form with a stored text. */
export function formOf({ entry, body }: ArticleText): ArticleForm {
  const { title, summary, tags, author, language, published_at } = presentEntry(entry);
  return {
    ...emptyForm,
    title,
    summary,
    tags: tags.join(', '),
    author,
    language,
    published_at: published_at ?? '',
    body,
  };
}

/**
 * Turns a form into the fields of a put, except the name of the article.
 *
 * @throws KnowledgeError `validation_error` for a time that nobody can read.
 */
export function fieldsOf(form: ArticleForm) {
  const { title, summary, author, language, body, reason } = form;
  const publishedAt = timeOfField('published_at', form.published_at);
  return { title, summary, author, language: language.trim(), body, reason, publishedAt, tags: tagsOf(form) };
}

function tagsOf({ tags }: ArticleForm): string[] {
  return new FieldReader({ tags }).words('tags');
}

/** Reads a refusal of the service: the faults of each field, and the others. `isNew` is a form that has the name too. */
export function faultsOf(error: Pick<KnowledgeError, 'code' | 'message'>, isNew: boolean): FormFaults<FormField> {
  return readFaults<FormField>(error, isNew ? [...formFields, 'site', 'slug'] : formFields);
}
