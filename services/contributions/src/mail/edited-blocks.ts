import { wordsAround } from '@knowledge/runtime/difference';
import type { MailBlock, MailTextPart } from '@knowledge/runtime/mail';
import type { Contribution, TextChange, WrittenText } from '../domain/contribution.js';
import { withoutLinks } from './without-links.js';

/** The blocks that show what moderators changed since the last words that the human knows; none if they changed nothing. */
export function editsSinceAgent(contribution: Contribution): MailBlock[] {
  const { textChanges } = contribution;
  const known = textChanges.findLastIndex(({ by, final }) => by !== 'moderator' || final === 'agreed');
  const edits = textChanges.slice(known + 1);
  const [first] = edits;
  if (first === undefined) return [];
  const reasons = edits.map(({ reason }): MailBlock => ({ kind: 'quote', text: reason }));
  const why = edits.length === 1 ? 'for this reason:' : 'for these reasons:';
  const words = `A moderator edited it before it was published, ${why}`;
  return [{ kind: 'paragraph', text: words }, ...reasons, ...differenceBlocks(first.before, contribution)];
}

/** The blocks that show what one edit changed. */
export function editBlocks({ textChanges, ...now }: Contribution, revision: number): MailBlock[] {
  const at = textChanges.findIndex((each) => each.revision === revision);
  const after = textChanges[at + 1]?.before ?? now;
  return at === -1 ? [] : differenceBlocks(textChanges[at]?.before, after);
}

/** The blocks that show where two texts differ. */
export function differenceBlocks(before: TextChange['before'], after: WrittenText): MailBlock[] {
  if (!before) return [{ kind: 'note', text: 'The text before is not kept, so this mail cannot show what changed.' }];
  const changed = parts.flatMap(([field, label]): MailBlock[] => {
    const [old, now] = [before[field] ?? '', after[field] ?? ''].map(withoutLinks);
    const words = wordsAround(old ?? '', now ?? '');
    if (words.length === 0) return [];
    const text = words.map(({ text, in: kind }): MailTextPart => {
      return kind === 'both' ? shortened(text) : kind === 'removed' ? { removed: text } : { added: text };
    });
    return [
      { kind: 'paragraph', text: label },
      { kind: 'quote', text },
    ];
  });
  return [...changed, { kind: 'note', text: legend }];
}

const parts = [
  ['title', 'The title:'],
  ['name', 'The name:'],
  ['body', 'The text:'],
] as const;

const legend =
  'What was removed is crossed out, or stands in [-these-]; what was added is underlined, or stands in {+these+}.';

/** Keeps the ends of a long text that did not change. */
function shortened(text: string): string {
  const points = [...text];
  return points.length <= 240 ? text : `${points.slice(0, 100).join('')} … ${points.slice(-100).join('')}`;
}
