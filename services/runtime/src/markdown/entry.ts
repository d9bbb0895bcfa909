import { readMarkdown } from './read-markdown.js';

/** Says why a Markdown text is refused where it comes in, as the rest of a message. Undefined if it is accepted. */
export function markdownFault(text: string): string | undefined {
  return readMarkdown(text).fault?.words;
}
