import { type Fragment, type Html, languageTag } from '@knowledge/runtime/html';
import { createMarkdownRenderer, deadLinkNote, readMarkdown, titleDirection } from '@knowledge/runtime/markdown';
import type { FastifyRequest } from 'fastify';
import { buttonRow, csrfField, guardField, linkButton } from './fields.js';
import { type FormFaults, formField } from './form-values.js';

/** The revision or version that the words of a form were read at, by the names of its fields. */
export type Guards = Readonly<Record<string, number | string>>;

/** What a form for a long text shows around its fields. */
export interface TextForm {
  readonly action: string;
  readonly fields: Fragment;
  readonly hidden?: Readonly<Record<string, string>>;
  /** What the words were read at. */
  readonly guards?: Guards;
  readonly save: string;
  /** Whether the fields hold words that are not stored, such as those of a preview. */
  readonly isUnsent: boolean;
  /** Where the other answer leads. */
  readonly back: string;
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

/** A form for a long text. Its preview works without a script. */
export function textForm(
  { action, fields, hidden = {}, guards = {}, save, isUnsent, back }: TextForm,
  csrf: string,
): Html {
  return (
    <form class="edit" method="post" action={action} data-unsent={isUnsent}>
      {csrfField(csrf)}
      {Object.entries(hidden).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
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
  );
}

export function isRefused({ of, others }: FormFaults<string>): boolean {
  return others.length > 0 || Object.keys(of).length > 0;
}

/** Says that a form was refused; nothing if it was not. */
export function refusal(faults: FormFaults<string>): Fragment {
  if (!isRefused(faults)) return undefined;
  return (
    <div class="notice" role="alert">
      <p class="fault">Nothing was stored. {faults.others.join(' ') || 'See what is said beside the fields.'}</p>
    </div>
  );
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
