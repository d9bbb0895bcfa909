import { type Fragment, type Html, languageTag } from '@knowledge/runtime/html';
import { createMarkdownRenderer, deadLinkNote, readMarkdown, titleDirection } from '@knowledge/runtime/markdown';
import type { FastifyRequest } from 'fastify';
import { buttonRow, csrfField, guardField, linkButton } from './fields.js';
import type { Guards, SentForm } from './form-pages.js';
import { formField, isRefused, refusal } from './form-values.js';
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
export function textPage(view: TextView, sent: SentForm<unknown>, fields: Fragment, csrf: string): Shown {
  const { title, intro, action, hidden, save, back } = view;
  const { faults, preview, after, guards = view.guards ?? {} } = sent;
  return titled(
    title,
    <>
      {intro}
      {refusal(faults)}
      {preview}
      <form class="edit" method="post" action={action} data-unsent={preview !== undefined || isRefused(faults)}>
        {csrfField(csrf, hidden)}
        {Object.entries(guards).map(([name, value]) => guardField(name, value))}
        {fields}
        {buttonRow(
          // Enter in a line presses the first button.
          <button name="act" value="preview" formnovalidate>
            Preview
          </button>,
          <button class="main" name="act" value="save">
            {save}
          </button>,
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

/** A text in all its forms. */
interface PreviewParts {
  readonly about: Fragment;
  readonly page: Html;
  readonly markdown: string;
  readonly json: unknown;
}

/** A text as people, models and programs get it. Every form opens without a script. */
export function textPreview({ about, page, markdown, json }: PreviewParts): Html {
  return (
    <section aria-label="Preview" id="preview">
      <h2>Preview</h2>
      <p class="soft">{about} Nothing is stored yet.</p>
      <details open>
        <summary>As page</summary>
        {page}
      </details>
      <details>
        <summary>As Markdown</summary>
        {sourceText(markdown)}
      </details>
      <details>
        <summary>As JSON</summary>
        {sourceText(JSON.stringify(json, null, 2))}
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
