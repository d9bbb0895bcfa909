export { type Block, changedBlock, differenceOf, type Hunk, patchOf, type Words } from './text-difference.js';
