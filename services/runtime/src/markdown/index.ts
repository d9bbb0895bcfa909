export { idOf, wordsOf } from './headings.js';
export { titleDirection } from './output.js';
export {
  deadLinkNote,
  looseWords,
  markdownFault,
  plainText,
  type TextBlock,
  textBlocks,
  withoutHidden,
} from './plain-text.js';
export { type MarkdownToken, type ReadMarkdown, readMarkdown } from './read-markdown.js';
export type { FoundLink } from './reading.js';
export {
  createMarkdownRenderer,
  type RenderedText,
  type RenderMarkdown,
  type TextHeading,
  withScrollingTables,
} from './render.js';
