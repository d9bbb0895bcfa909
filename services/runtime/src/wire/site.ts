import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { enumWords } from './enum-words.js';

export const { toWire: toWireSite, optional: optionalSite, require: requireSite } = enumWords('site', Site);
