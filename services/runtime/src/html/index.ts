export { baseStyle, controlStyle, frameStyle } from './base-style.js';
export {
  dayElement,
  endElement,
  hashedAsset,
  icon,
  inLanguage,
  languageName,
  languageTag,
  minuteElement,
  pageMeta,
  retryTimeElement,
  secondElement,
} from './elements.js';
export { type Attributes, type Fragment, type Html, inOnePiece, markupOf, trusted, xmlDocument } from './html.js';
