import type { TextCheck } from './check.js';

/** Finds what language models leave around a text that they hand in without reading it again. */
export const habits: TextCheck = ({ title, body, tokens }) => {
  const beginning = body.trimStart().slice(0, 600);
  const found = [
    /&(?:#x?[0-9a-f]+|[a-z][a-z0-9]+);/i.test(title ?? '') ? 'an entity such as &amp; in the title' : undefined,
    tokens.length === 1 && tokens[0]?.type === 'fence' ? 'the whole text is one block of code' : undefined,
    /^(---|\+\+\+)[ \t]*\r?\n(?:[\w-]+[ \t]*[:=].{0,200}\r?\n)+\1/.test(beginning)
      ? 'front matter of a file'
      : undefined,
    isAnswer(beginning.slice(0, 160)) ? 'words of a model to its human' : undefined,
  ].filter((each) => each !== undefined);
  return found.length === 0 ? undefined : { weight: 10, text: found.join(', ') };
};

function isAnswer(beginning: string): boolean {
  return /^\W*(?:(?:sure|certainly|of course|absolutely|okay|great)\b\W*)?(?:here(?: is|'s|’s)\b.{0,60}\b(?:you (?:asked|requested|wanted)|as requested|for you|draft)\b|as an ai\b)/i.test(
    beginning,
  );
}
