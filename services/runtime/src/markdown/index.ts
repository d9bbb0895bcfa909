export { idOf, wordsOf } from './links.js';
export { titleDirection } from './output.js';
export type { FoundLink } from './parser.js';
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
export {
  codeBlock,
  createMarkdownRenderer,
  type RenderedText,
  type RenderMarkdown,
  type TextHeading,
  withScrollingTables,
} from './render.js';
