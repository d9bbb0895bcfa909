import { type Html, trusted } from '@knowledge/runtime/html';
import { codeBlock, idOf, withScrollingTables } from '@knowledge/runtime/markdown';
import createMarkdown from 'markdown-it';

/** A section of one of our own documents. */
export interface DocumentSection {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
  /** The third-level headings. */
  readonly parts: readonly { readonly id: string; readonly title: string }[];
}

/** Renders our own Markdown, split at its second-level headings. `lead` is the text before them. */
export function documentMarkdown(text: string): { title: string; lead: Html; sections: readonly DocumentSection[] } {
  const tokens = own.parse(text, {});
  const starts = tokens.flatMap(({ type, tag }, at) => (type === 'heading_open' && tag === 'h2' ? [at] : []));
  const render = (from: number, to: number) => trusted(own.renderer.render(tokens.slice(from, to), own.options, {}));
  const sections = starts.map((start, at) => {
    const end = starts[at + 1] ?? tokens.length;
    const title = tokens[start + 1]?.content ?? '';
    const parts = tokens.slice(start, end).flatMap(({ type, tag }, offset) => {
      const content = tokens[start + offset + 1]?.content ?? '';
      return type === 'heading_open' && tag === 'h3' ? [{ id: idOf(content), title: content }] : [];
    });
    return { id: idOf(title), title, body: render(start + 3, end), parts };
  });
  return { title: tokens[1]?.content ?? '', lead: render(3, starts[0] ?? tokens.length), sections };
}

/** Renders Markdown of our own, whose headings may name their anchors: `## Two sites {#sites}`. */
export function ownMarkdown(text: string): Html {
  return trusted(own.render(text));
}

/** Escapes a text that is not ours, such as the name of the operator. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** Renders a line of our own Markdown: code, links and strong words. */
export function inlineMarkdown(text: string): Html {
  return trusted(own.renderInline(text));
}

const own = withScrollingTables(createMarkdown({ html: false }));
own.core.ruler.after('block', 'anchors', ({ tokens }) => {
  for (const [at, heading] of tokens.entries()) {
    const words = tokens[at + 1];
    if (heading.type !== 'heading_open' || words === undefined) continue;
    const [, title = words.content, anchor = idOf(title)] = /^(.*) \{#([\w-]+)\}$/.exec(words.content) ?? [];
    heading.attrSet('id', anchor);
    words.content = title;
  }
});
own.renderer.rules['fence'] = (tokens, at) => {
  const { info, content } = tokens[at] as (typeof tokens)[number];
  return codeBlock(content, info);
};
