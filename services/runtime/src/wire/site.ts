import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { enumWords } from './enum-words.js';

const words = enumWords('site', Site);
export const { toWire: toWireSite, optional: optionalSite, require: requireSite, answered: fromWireSite } = words;
