import { formatUtcTime } from '@knowledge/runtime';
import { wordsAround } from '@knowledge/runtime/difference';
import type { MailBlock, MailTextPart } from '@knowledge/runtime/mail';
import type { Contribution, TextChange, WrittenText } from '../domain/contribution.js';
import { editsSinceAgent } from '../domain/edit-decision.js';
import { withoutLinks } from './without-links.js';

/** The blocks that show each edit of moderators since the words of the agent; none if they changed nothing. */
export function editsBlocks(contribution: Contribution): MailBlock[] {
  const edits = editsSinceAgent(contribution);
  const shown = edits.flatMap(({ revision, at, reason }): MailBlock[] => [
    { kind: 'paragraph', text: `A moderator edited it on ${formatUtcTime(at)}, for this reason:` },
    { kind: 'quote', text: reason },
    ...changedParts(contribution, revision),
  ]);
  return edits.some(({ before }) => before) ? [...shown, legend] : shown;
}

/** The blocks that show what one edit changed. */
export function editBlocks(contribution: Contribution, revision: number): MailBlock[] {
  const isKept = contribution.textChanges.some((each) => each.revision === revision && each.before);
  return [...changedParts(contribution, revision), ...(isKept ? [legend] : [])];
}

function changedParts({ textChanges, ...now }: Contribution, revision: number): MailBlock[] {
  const at = textChanges.findIndex((each) => each.revision === revision);
  return partBlocks(textChanges[at]?.before, textChanges[at + 1]?.before ?? now);
}

/** The blocks that show where two texts differ. */
export function differenceBlocks(before: WrittenText, after: WrittenText): MailBlock[] {
  return [...partBlocks(before, after), legend];
}

function partBlocks(before: TextChange['before'], after: WrittenText): MailBlock[] {
  if (!before) return [{ kind: 'note', text: 'The text before is not kept, so this mail cannot show what changed.' }];
  return parts.flatMap(([field, label]): MailBlock[] => {
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
}

const parts = [
  ['title', 'The title:'],
  ['name', 'The name:'],
  ['body', 'The text:'],
] as const;

const legend: MailBlock = {
  kind: 'note',
  text: 'What was removed is crossed out, or stands in [-these-]; what was added is underlined, or stands in {+these+}.',
};

/** Keeps the ends of a long text that did not change. */
function shortened(text: string): string {
  const points = [...text];
  return points.length <= 240 ? text : `${points.slice(0, 100).join('')} … ${points.slice(-100).join('')}`;
}
