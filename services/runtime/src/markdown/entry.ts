import { readMarkdown } from './read-markdown.js';
import type { FoundLink } from './reading.js';

/** Says why a Markdown text is refused where it comes in, as the rest of a message. Undefined if it is accepted. */
export function markdownFault(text: string): string | undefined {
  const { tokens, fault } = readMarkdown(text);
  if (fault !== undefined) return fault.words;
  // Two in a row are meant as breaks, and so are several in a text of one line. C:\\new is a name.
  const escaped = text.trim().includes('\n') ? /(?:\\r)?\\n(?:\\r)?\\n/ : /\\n(?![a-z])(?:.*\\n(?![a-z]))/;
  let line = 1;
  for (const { map, children } of tokens) {
    if (map !== null) line = map[0] + 1;
    const words = (children ?? []).map(({ type, content }) => (type === 'text' ? content : ' ')).join('');
    if (escaped.test(words)) return `has \\n as two characters in line ${line}: send real line breaks`;
  }
  return undefined;
}

/** Lists the links of a text that lead nowhere, such as those to a file or a private page. */
export function deadLinks(text: string): FoundLink[] {
  return readMarkdown(text).links.filter(({ leads }) => leads === 'nowhere');
}
