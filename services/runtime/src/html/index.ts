export { hashedAsset, icon } from './assets.js';
export { baseStyle, controlStyle } from './base-style.js';
export {
  createCommunityMarkdown,
  lowerHeadings,
  type RenderedText,
  type RenderMarkdown,
  type TextHeading,
} from './community-markdown.js';
export { anchorPrefix, createCommunityParser, idOf, wordsOf } from './community-parser.js';
export { dayElement, endElement, minuteElement, retryTimeElement } from './dates.js';
export { frameStyle } from './frame-style.js';
export { type Fragment, type Html, inOnePiece, markupOf, trusted, xmlDocument } from './html.js';
export type { Attributes } from './html-elements.js';
export { inLanguage, languageName, languageTag } from './language.js';
export { pageMeta } from './page-meta.js';
export { withScrollingTables } from './scrolling-tables.js';
