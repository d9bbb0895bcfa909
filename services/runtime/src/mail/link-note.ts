import { formatUtcEnd } from '../time-words.js';
import type { MailBlock } from './blocks.js';

/** The note below a link to the access page. A human can end links before their time. */
export function linkNote(until: Date): MailBlock {
  return {
    kind: 'note',
    text: `The link works until ${formatUtcEnd(until)} at the latest. Keep it to yourself: whoever has it can see and stop what agents do in your name. Has somebody else seen it? Your own page makes all earlier links useless.`,
  };
}
