import { type Fragment, type Html, languageTag } from '@knowledge/runtime/html';
import { createMarkdownRenderer, deadLinkNote, readMarkdown, titleDirection } from '@knowledge/runtime/markdown';
import { bounds } from '@knowledge/runtime/product';
import type { FastifyRequest } from 'fastify';
import { actButton, areaField, buttonRow, csrfField, guardField, linkButton, textField, timeField } from './fields.js';
import type { Guards, SentForm } from './form-pages.js';
import { type FormFaults, fieldsOf, formField, isRefused, refusal, timeOfField } from './form-values.js';
import { type Shown, titled } from './page.js';

/** What a page shows around the fields of a long text. */
export interface TextView {
  readonly title: string;
  /** What stands between the heading and the form. */
  readonly intro?: Fragment;
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>> | undefined;
  readonly guards?: Guards;
  readonly save: string;
  /** Where the other answer leads. */
  readonly back: string;
}

/** The page with the form for a long text. Its preview works without a script. */
export function textPage(view: TextView, sent: SentForm<unknown>, fields: Fragment): Shown {
  const { title, intro, action, hidden, save, back } = view;
  const { faults, preview, after, guards = view.guards ?? {} } = sent;
  return titled(
    title,
    <>
      {intro}
      {refusal(faults)}
      {preview}
      <form class="edit" method="post" action={action} data-unsent={preview !== undefined || isRefused(faults)}>
        {csrfField(hidden)}
        {Object.entries(guards).map(([name, value]) => guardField(name, value))}
        {fields}
        {buttonRow(
          // Enter in a line presses the first button.
          actButton('preview', 'Preview', { formnovalidate: true }),
          actButton('save', save, { class: 'main' }),
          linkButton(back, 'Cancel'),
        )}
      </form>
      {after}
    </>,
  );
}

/** More than the fields of a text may have. So the service says what is too long, and nothing typed is lost. */
export const mostOfText = {
  title: 10_000,
  summary: 10_000,
  author: 10_000,
  language: 1000,
  published_at: 1000,
  body: 400_000,
  reason: 20_000,
};

/** What an editor has typed into the fields of a text, as it was typed. A refused form shows it again. */
export type TextForm = Readonly<Record<keyof typeof mostOfText, string>>;

/** Makes what every form for a text has. The page of a kind of text arranges it. */
export function textFields(
  form: TextForm,
  faults: FormFaults<string>,
  lang: string | undefined,
  hints: Readonly<Record<'summary' | 'language' | 'published_at', string>>,
) {
  const field = fieldsOf(form, faults);
  return {
    title: textField({ ...field('title', 'Title'), lang, required: true, maxlength: bounds.articleTitle.max }),
    summary: areaField({ ...field('summary', 'Summary', hints.summary), lang, rows: 2 }),
    author: textField(field('author', 'Author', 'The name that readers see.')),
    language: textField(field('language', 'Language', hints.language)),
    published: timeField(field('published_at', 'Published', hints.published_at)),
    body: areaField({ ...field('body', 'Text', 'Markdown.'), lang, rows: 24, required: true }),
    reason: textField(field('reason', 'Reason', 'Why you change it; stored with the change, readers never see it.')),
  };
}

/**
 * Turns the fields of a text into those of a put.
 *
 * @throws KnowledgeError `validation_error` for a time that nobody can read.
 */
export function putOfText<Form extends TextForm>({ published_at, language, ...texts }: Form) {
  return { ...texts, language: language.trim(), publishedAt: timeOfField('published_at', published_at) };
}

/** Whether the preview was asked for; it stores nothing. */
export function isPreview({ body }: FastifyRequest): boolean {
  return formField(body, 'act') === 'preview';
}

const render = createMarkdownRenderer(8 * 1024 * 1024);

/** The facts that stand above a text. */
interface TextFacts {
  readonly title: string;
  readonly summary: string;
  readonly language: string;
}

/** A text as people see it on its page, below a note on links that lead nowhere. */
export function shownText({ title, summary, language }: TextFacts, body: string): Html {
  const text = render(body, { title, language, lowered: 1 });
  const note = deadLinkNote(readMarkdown(body).links, 0);
  return (
    <>
      {note && <p class="soft">{note}</p>}
      <article class="text shown" lang={languageTag(language)} dir={text.direction}>
        <h2 dir={titleDirection(title, text.direction)}>{title}</h2>
        {summary !== '' && <p class="soft">{summary}</p>}
        {text}
      </article>
    </>
  );
}

/** What a text says beside its body, in the words of the page and with the names of `--json`. */
interface PreviewParts {
  readonly about: Fragment;
  readonly entry: TextFacts;
  readonly markdown: string;
  readonly view: object;
}

/** A text as people, models and programs get it. Every form opens without a script. */
export function textPreview({ about, entry, markdown, view }: PreviewParts, body: string): Html {
  return (
    <section aria-label="Preview" id="preview">
      <h2>Preview</h2>
      <p class="soft">{about} Nothing is stored yet.</p>
      <details open>
        <summary>As page</summary>
        {shownText(entry, body)}
      </details>
      <details>
        <summary>As Markdown</summary>
        {sourceText(markdown)}
      </details>
      <details>
        <summary>As JSON</summary>
        {sourceText(JSON.stringify({ ...view, body, body_format: 'markdown' }, null, 2))}
      </details>
    </section>
  );
}

/** A text as it stands in a file. */
export function sourceText(text: string): Html {
  return (
    <div class="shown">
      <pre tabindex="0">{text}</pre>
    </div>
  );
}
