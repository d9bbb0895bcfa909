import { hiddenCharacters } from '@knowledge/runtime';
import { counted, type TextCheck } from './check.js';

/** Finds invisible characters. Many of them, or some that reorder a text or hide words in it, weigh more. */
export const hidden: TextCheck = ({ title, body, name }) => {
  const found = [title ?? '', name ?? '', body].flatMap((text) => hiddenCharacters(text, most));
  const [first] = found;
  if (first === undefined) return undefined;
  const severe = found.length >= 5 || found.some((each) => /override|tag|embedding|isolate/.test(each.name));
  const many = found.length >= most ? `${most} or more hidden characters` : counted(found.length, 'hidden character');
  return { weight: severe ? 30 : 12, text: `${many}, the first is ${first.name}` };
};

const most = 50;
