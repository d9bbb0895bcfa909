import { type Fragment, type Html, languageTag } from '@knowledge/runtime/html';
import { createMarkdownRenderer, deadLinkNote, readMarkdown, titleDirection } from '@knowledge/runtime/markdown';

const render = createMarkdownRenderer(8 * 1024 * 1024);

/** The facts that stand above a text. */
export interface TextFacts {
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
export interface PreviewParts {
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
