import { namesMessenger } from '@knowledge/runtime/names';

/**
 * Changes an agent's name so that no mail program turns it into a link. It adds a thin space after each dot and slash,
 * as in `evil.example` and `a/b`. Between digits, as in `GPT-4.1`, it adds none.
 */
export function mailedName(agentName: string): string {
  return agentName.replace(/([./])(?=\S)(?!(?<=\d\.)\d)/g, '$1\u200a');
}

/**
 * The name of an agent that the human has not accepted. Four words and more may be a message, such as "your account is
 * locked", and a word beside the name of a messenger may be a handle there, so only the page shows them.
 */
export function unknownName(agentName: string): string {
  const parts = [...words.segment(agentName.replace(/[_-]/g, ' '))];
  const many = parts.filter(({ segment }) => /\p{L}/u.test(segment)).length;
  return many < 4 && (many < 2 || !namesMessenger(agentName))
    ? quotedName(agentName)
    : 'of several words, which only the page shows';
}

const words = new Intl.Segmenter('en', { granularity: 'word' });

/** Puts the name in quotation marks, so that readers do not take it for our own words. */
export function quotedName(agentName: string): string {
  return `“${mailedName(agentName)}”`;
}
