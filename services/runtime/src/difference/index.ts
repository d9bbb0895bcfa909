export {
  type Block,
  changedBlock,
  differenceOf,
  type Hunk,
  patchOf,
  type Words,
  wordsAround,
} from './text-difference.js';
