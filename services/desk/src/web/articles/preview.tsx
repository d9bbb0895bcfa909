import type { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import { createCommunityMarkdown, type Html, languageTag, lowerHeadings } from '@knowledge/runtime/html';
import { presentEntry } from '../../article/article-fields.js';
import { articleMarkdown } from '../../export/article-markdown.js';

const render = createCommunityMarkdown(8 * 1024 * 1024);

/** The text of an article as people see it on its page. */
export function articleText({ title, summary, language }: ArticleEntry, body: string): Html {
  return (
    <article class="text shown" lang={languageTag(language)} dir="auto">
      <h2>{title}</h2>
      {summary !== '' && <p class="soft">{summary}</p>}
      {lowerHeadings(render(body), 1)}
    </article>
  );
}

/** An article as people, models and programs get it. Every form opens without a script. */
export function preview(entry: ArticleEntry, body: string): Html {
  const json = JSON.stringify({ ...presentEntry(entry), body, body_format: 'markdown' }, null, 2);
  return (
    <section aria-label="Preview" id="preview">
      <h2>Preview</h2>
      <p class="soft">
        {entry.wordCount} words, about {entry.readingTokens} tokens. Nothing is stored yet.
      </p>
      <details open>
        <summary>As page</summary>
        {articleText(entry, body)}
      </details>
      <details>
        <summary>As Markdown</summary>
        <div class="shown">
          <pre tabindex="0">{articleMarkdown({ entry, body })}</pre>
        </div>
      </details>
      <details>
        <summary>As JSON</summary>
        <div class="shown">
          <pre tabindex="0">{json}</pre>
        </div>
      </details>
    </section>
  );
}
