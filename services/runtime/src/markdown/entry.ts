import { hiddenFault, withoutHiddenCharacters } from '../text/hidden-characters.js';
import { lineWith } from './images.js';
import { type MarkdownToken, readMarkdown } from './read-markdown.js';
import type { FoundLink } from './reading.js';

/**
 * Says why a Markdown text is refused where it comes in, as the rest of a message. Undefined if it is accepted.
 * Links of a stranger must lead somewhere; an editor only gets a note on them.
 */
export function markdownFault(
  text: string,
  writer: 'editor' | 'stranger' = 'editor',
  { tokens, links, fault } = readMarkdown(text),
): string | undefined {
  if (fault !== undefined) return fault.words;
  // Two in a row are meant as breaks, and so are several in a text of one line. A path such as C:\new is not.
  const escaped = text.trim().includes('\n') ? /(?:\\r)?\\n(?:\\r)?\\n/ : /\\n(?![a-z])(?:.*\\n(?![a-z]))/;
  const line = lineWith(escaped, tokens);
  if (line !== undefined) return `has \\n as two characters in line ${line}: send real line breaks`;
  const dead = writer === 'stranger' ? links.find(({ leads }) => leads === 'nowhere') : undefined;
  if (dead === undefined) return undefined;
  return `links to ${dead.target.slice(0, 80) || 'nothing'} in line ${dead.line}, which leads nowhere: use a whole URL, beginning with https://`;
}

/** Removes hidden characters from a text of an editor. Code shows entities as they are, so it keeps those of the text. */
export function withoutHidden(text: string): string {
  const hasHiddenCode = ({ type, content, children }: MarkdownToken): boolean =>
    children?.some(hasHiddenCode) ?? (/^code|^fence/.test(type) && hiddenFault(content) !== undefined);
  const isCode = text.includes('&') && readMarkdown(text).tokens.some(hasHiddenCode);
  return withoutHiddenCharacters(text, isCode ? 'kept' : undefined);
}

/** Names the links that lead nowhere, for the editor of their text, which begins `before` lines down its file. */
export function deadLinkNote(links: readonly FoundLink[], before: number): string | undefined {
  const dead = links.filter(({ leads }) => leads === 'nowhere');
  const found = dead.map(({ target, line }) => `${target.slice(0, 80) || 'nothing'} (line ${line + before})`);
  if (found.length === 0) return undefined;
  const more = found.length > shown ? ` and ${found.length - shown} more` : '';
  return `Links that lead nowhere, so that pages show their targets as words: ${found.slice(0, shown).join(', ')}${more}`;
}

const shown = 5;
