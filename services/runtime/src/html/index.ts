export { hashedAsset, icon } from './assets.js';
export { baseStyle, controlStyle } from './base-style.js';
export { dayElement, endElement, minuteElement, retryTimeElement, secondElement } from './dates.js';
export { frameStyle } from './frame-style.js';
export { type Fragment, type Html, inOnePiece, markupOf, trusted, xmlDocument } from './html.js';
export type { Attributes } from './html-elements.js';
export { inLanguage, languageName, languageTag } from './language.js';
export { pageMeta } from './page-meta.js';
