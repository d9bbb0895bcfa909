import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import { presentEntry } from '../../article/article-fields.js';
import type { ArticleText } from '../../difference/article-difference.js';
import { FieldReader } from '../../import/fields.js';
import { readTime } from '../../read-time.js';
import { formField } from '../http/form-field.js';

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

export type FormField = keyof ArticleForm;

/** More than any field may have, so that the service says what is too long and nothing typed is lost. */
const most: Readonly<Record<FormField, number>> = {
  ...{ title: 10_000, summary: 10_000, tags: 10_000, author: 10_000, language: 1000, published_at: 1000 },
  ...{ body: 400_000, reason: 20_000 },
};

const formFields = Object.keys(most) as FormField[];

export const emptyForm = Object.fromEntries(formFields.map((name) => [name, ''])) as Record<FormField, string>;

/** Reads a sent form. Browsers end lines with CRLF. */
export function readArticleForm({ body }: FastifyRequest): ArticleForm {
  const values = formFields.map((name) => [name, formField(body, name, most[name]).replaceAll('\r\n', '\n')]);
  return Object.fromEntries(values) as Record<FormField, string>;
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
  const publishedAt = readTime(form.published_at);
  if (publishedAt === undefined && form.published_at.trim() !== '') {
    throw new KnowledgeError('validation_error', 'published_at must be a time like 2026-06-01T09:00:00Z, or a date.');
  }
  const { title, summary, author, language, body, reason } = form;
  return { title, summary, author, language: language.trim(), body, reason, publishedAt, tags: tagsOf(form) };
}

function tagsOf({ tags }: ArticleForm): string[] {
  return new FieldReader({ tags }).words('tags');
}

/** The faults of a refused form: those of a field stand beside it, the others above the form. */
export interface FormFaults {
  readonly of: Readonly<Partial<Record<FormField, string>>>;
  readonly others: readonly string[];
}

/** Reads a refusal of the service. A `validation_error` names each field and separates faults by semicolons. */
export function faultsOf({ code, message }: Pick<KnowledgeError, 'code' | 'message'>): FormFaults {
  if (code !== 'validation_error') return { of: {}, others: [message] };
  const of: Partial<Record<FormField, string>> = {};
  const others: string[] = [];
  for (const fault of message.replace(/\.$/, '').split('; ')) {
    const name = formFields.find((each) => fault.startsWith(`${each} `));
    if (name === undefined) others.push(`${fault}.`);
    else of[name] = [of[name], fault.slice(name.length + 1)].filter(Boolean).join('; ');
  }
  return { of, others };
}
