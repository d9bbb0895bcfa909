export { titleDirection } from './direction.js';
export { deadLinkNote, markdownFault, withoutHidden } from './entry.js';
export { idOf, wordsOf } from './headings.js';
export { looseWords, plainText, type TextBlock, textBlocks } from './plain-text.js';
export { type MarkdownToken, type ReadMarkdown, readMarkdown } from './read-markdown.js';
export type { FoundLink } from './reading.js';
export { createMarkdownRenderer, type RenderedText, type RenderMarkdown, type TextHeading } from './render.js';
export { withScrollingTables } from './scrolling-tables.js';
