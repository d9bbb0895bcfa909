export { baseStyle, controlStyle, frameStyle } from './base-style.js';
export { dayElement, endElement, minuteElement, retryTimeElement, secondElement } from './dates.js';
export { type Attributes, type Fragment, type Html, inOnePiece, markupOf, trusted, xmlDocument } from './html.js';
export { inLanguage, languageName, languageTag } from './language.js';
export { hashedAsset, icon, pageMeta } from './page-meta.js';
