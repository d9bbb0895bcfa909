import type { Site } from '@knowledge/proto/knowledge/common/v1/common';
import type { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import type { ArticleDraftNotice, ArticleRecord } from '@knowledge/proto/knowledge/content/v1/editorial';
import { KnowledgeError } from '@knowledge/runtime';
import { type Fragment, type Html, languageTag, minuteElement } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import type { FastifyRequest } from 'fastify';
import { requireField, sites } from '../base/words.js';
import { FieldReader } from '../files/fields.js';
import {
  type Editorial,
  type FormFaults,
  fieldsOf,
  mostOfText,
  putOfText,
  readValues,
  type SentForm,
  type Shown,
  selectField,
  siteChoices,
  strange,
  type TextView,
  textField,
  textFields,
  textPage,
  textPreview,
} from '../pages/index.js';
import { articleMarkdown } from './article-file.js';
import type { ArticleText } from './difference.js';
import { scheduleLoss } from './drafts.js';
import { presentEntry } from './present-article.js';

/** The path of the pages of one article. */
export const articlePath = '/articles/:site/:slug';

/** An article as a path names it. */
export interface PathName {
  readonly site: Site;
  readonly slug: string;
}

/** @throws KnowledgeError `not_found` for a site that does not exist. */
export function nameOf({ params }: FastifyRequest): PathName {
  const { site = '', slug = '' } = params as { site?: string; slug?: string };
  if (!sites.words.includes(site)) throw new KnowledgeError('not_found', 'There is no such article.');
  return { site: sites.toWire(site), slug };
}

/** The path of an article's own page, or of one of the pages below it. */
export function pathOf({ site, slug }: PathName, page = ''): string {
  return `/articles/${sites.fromWire(site)}/${encodeURIComponent(slug)}${page === '' ? '' : `/${page}`}`;
}

/** Reads the article that the path names. */
export async function openArticle(editorial: Editorial, request: FastifyRequest) {
  const record = requireField((await editorial(request).getArticleRecord(nameOf(request))).article);
  return { record, entry: requireField(record.entry), body: record.body };
}

/** Says when a draft was to appear, and why it does not; nothing if no time was taken back. */
export function missedWords({ missedAt, missedReason }: ArticleDraftNotice): Fragment {
  return missedAt && ['It was to appear at ', minuteElement(missedAt), ', but ', strange(missedReason)];
}

const most = { ...mostOfText, tags: 10_000 };

/** What an editor has typed, as it was typed. A refused form shows it again. */
export type ArticleForm = Readonly<Record<keyof typeof most, string>>;

/** The fields of the form; a new article has two more for its name. */
export const articleFields = Object.keys(most) as (keyof ArticleForm)[];
export const newFields = [...articleFields, 'site', 'slug'] as const;

export const emptyForm: ArticleForm = readValues({ body: {} }, most);

export function readArticleForm(request: FastifyRequest): ArticleForm {
  return readValues(request, most);
}

/** Fills a form with a stored text. */
export function formOf({ entry, body }: ArticleText): ArticleForm {
  const { title, summary, tags, author, language, published_at } = presentEntry(entry);
  const shown = { title, summary, tags: tags.join(', '), author, language, body };
  return { ...emptyForm, ...shown, published_at: published_at ?? '' };
}

/** Turns a form into the fields of a put, except the name of the article. */
export function putOf({ tags, ...form }: ArticleForm) {
  return { ...putOfText(form), tags: new FieldReader({ tags }).words('tags') };
}

/** The name of a new article as the form shows it. */
export interface Naming {
  readonly site: string;
  readonly slug: string;
  /** The name that follows the title, until an editor types another one. */
  readonly suggested: string;
}

/** What a form for the text of an article shows around what was typed. */
export interface EditView extends TextView {
  /** The name of a new article; undefined for one that has its name. */
  readonly naming?: Naming | undefined;
  /** What the reason is stored with, if not with the article. */
  readonly reason?: { readonly label: string; readonly hint: string };
}

/** The page with the form for the text of an article. */
export function editPage(view: EditView, sent: SentForm<ArticleForm>): Shown {
  const { naming, reason } = view;
  const { form, faults } = sent;
  const field = fieldsOf(form, faults);
  const text = textFields(form, faults, languageTag(form.language || 'en'), {
    summary: 'One or two sentences for lists and search.',
    language: 'Such as en or pl; empty means en.',
    published_at: 'Without a time: when it is published, or as it was.',
  });
  const fields = (
    <>
      {text.title}
      {naming && nameFields(naming, faults)}
      {text.summary}
      <div class="two">
        {textField(field('tags', 'Tags', 'Separated by commas: a-z, 0-9 and hyphens.'))}
        {[text.author, text.language, text.published]}
      </div>
      {text.body}
      {reason === undefined ? text.reason : textField(field('reason', reason.label, reason.hint))}
    </>
  );
  return textPage(view, sent, fields);
}

/** Says above a change what it takes from a scheduled next revision; nothing if none is scheduled. */
export function lossNotice(record: ArticleRecord): Fragment {
  const loss = scheduleLoss(record);
  return loss && <p class="notice">{strange(loss)}</p>;
}

function nameFields(naming: Naming, faults: FormFaults<string>) {
  return (
    <div class="two">
      {selectField({ ...fieldsOf({ site: naming.site }, faults)('site', 'Site'), choices: siteChoices })}
      {slugField(naming, faults)}
    </div>
  );
}

/** The field of the name in the URL. A change of the title gets it anew from the server. */
export function slugField({ slug, suggested }: Omit<Naming, 'site'>, faults: FormFaults<string>): Html {
  const hint = 'Made from the title; you may change it. a-z, 0-9 and single hyphens. It cannot be changed later.';
  return (
    <div
      id="slug-field"
      hx-get="/articles/new/slug"
      hx-trigger="input changed delay:200ms from:#title"
      hx-include="#title, #slug-field"
      hx-swap="outerHTML"
    >
      <input type="hidden" name="suggested" value={suggested} />
      {textField({ ...fieldsOf({ slug }, faults)('slug', 'Name in the URL', hint), maxlength: bounds.slug.max })}
    </div>
  );
}

/** An article as people, models and programs get it. */
export function previewOf(entry: ArticleEntry, body: string): Html {
  return textPreview(
    {
      about: `${entry.wordCount} words, about ${entry.readingTokens} tokens.`,
      entry,
      markdown: articleMarkdown({ entry, body }),
      view: presentEntry(entry),
    },
    body,
  );
}
