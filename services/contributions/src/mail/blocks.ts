import { formatUtcTime } from '@knowledge/runtime';
import { wordsAround } from '@knowledge/runtime/difference';
import type { MailBlock, MailText, MailTextPart } from '@knowledge/runtime/mail';
import { plainText, readMarkdown } from '@knowledge/runtime/markdown';
import { hostOf } from '@knowledge/runtime/names';
import { comparedNames, type InquiryPurpose, inquiryPurposes, kinds, labels } from '@knowledge/runtime/product';
import { shorten } from '../base/text.js';
import type { Contribution, TextChange } from '../domain/contribution.js';
import { editsSinceAgent } from '../domain/edit.js';
import type { WrittenText } from '../domain/sent-fields.js';
import { catalogAuthor } from '../publications/domain.js';

export const paragraph = (text: MailText): MailBlock => ({ kind: 'paragraph', text });
export const quote = (text: MailText): MailBlock => ({ kind: 'quote', text });
export const note = (text: MailText): MailBlock => ({ kind: 'note', text });

/** What mails call a contribution, and say about it. */
interface MailWords {
  readonly noun: string;
  readonly articled: string;
  /** What happens with it now. */
  readonly arrival: string;
  /** The label of the words by which its human recognises it. */
  readonly label: string;
}

/** The words for a contribution. They depend on its purpose if it has one. */
export function wordsFor({ type, purpose }: Pick<Contribution, 'type' | 'purpose'>): MailWords {
  const { isPublic, noun, answersPrompt } = kinds[type];
  const asked = purpose ?? 'question';
  const name = isPublic ? noun : inquiryPurposes[asked];
  const articled = `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
  const label = answersPrompt ? 'In reply to' : 'Title';
  return { ...(isPublic ? { noun, arrival: review, label } : purposes[asked]), articled };
}

const privately = 'You and the agent get their answer; it is never published.';
const purposes: Readonly<Record<InquiryPurpose, Omit<MailWords, 'articled'>>> = {
  question: {
    noun: 'question',
    label: 'You asked',
    arrival: `It is a question to the moderators. ${privately}`,
  },
  correction: {
    noun: 'correction',
    label: 'You proposed',
    arrival: `It proposes to the moderators to correct a published text. ${privately}`,
  },
  report: {
    noun: 'report',
    label: 'You reported',
    arrival: `It reports a problem with a published text to the moderators. ${privately}`,
  },
};

const review = 'A moderator reads it before anybody else can. If it is accepted, everybody can read it.';

/** The blocks that show each edit of moderators since the words of the agent; none if they changed nothing. */
export function editsBlocks(contribution: Contribution): MailBlock[] {
  const edits = editsSinceAgent(contribution);
  const shown = edits.flatMap(({ revision, at, reason }) => [
    paragraph(`A moderator edited it on ${formatUtcTime(at)}, for this reason:`),
    quote(reason),
    ...changedParts(contribution, revision),
  ]);
  return edits.some(({ before }) => before) ? [...shown, legend] : shown;
}

/** The blocks that show what one edit changed. */
export function editBlocks(contribution: Contribution, revision: number): MailBlock[] {
  const isKept = contribution.textChanges.some((each) => each.revision === revision && each.before);
  return [...changedParts(contribution, revision), ...(isKept ? [legend] : [])];
}

function changedParts({ textChanges, ...now }: Contribution, revision: number) {
  const at = textChanges.findIndex((each) => each.revision === revision);
  return partBlocks(textChanges[at]?.before, textChanges[at + 1]?.before ?? now);
}

/** The blocks that show where two texts differ. */
export function differenceBlocks(before: WrittenText, after: WrittenText): MailBlock[] {
  return [...partBlocks(before, after), legend];
}

function partBlocks(before: TextChange['before'], after: WrittenText) {
  if (!before) return [note('The text before is not kept, so this mail cannot show what changed.')];
  return comparedNames.flatMap((field) => {
    const [old, now] = [before[field] ?? '', after[field] ?? ''].map(withoutLinks);
    const words = wordsAround(old ?? '', now ?? '');
    if (words.length === 0) return [];
    const text = words.map(({ text, in: kind }): MailTextPart => {
      return kind === 'both' ? shortened(text) : kind === 'removed' ? { removed: text } : { added: text };
    });
    return [paragraph(`The ${labels[field].toLowerCase()}:`), quote(text)];
  });
}

const legend = note(
  'What was removed is crossed out, or stands in [-these-]; what was added is underlined, or stands in {+these+}.',
);

/** Keeps the ends of a long text that did not change. */
function shortened(text: string) {
  const points = [...text];
  return points.length <= 240 ? text : `${points.slice(0, 100).join('')} … ${points.slice(-100).join('')}`;
}

/**
 * Changes a text from outside so that no mail program turns it into a link (SECURITY.md#mail). It replaces dots in host
 * names, of any width, and colons in URLs by characters that look the same.
 */
export function withoutLinks(text: string): string {
  return text
    .replace(/(?<=\S)[.．](?=\p{L}{2})|(?<=[\p{sc=Latin}\p{N}])[。｡](?=\p{sc=Latin}{2})/gu, '\u2024')
    .replace(/[:：](?=[/／])/g, '\ua789');
}

export function wordsOf({ title, prompt, body }: Contribution): string {
  return title ?? prompt?.question ?? shorten(body.replace(/\s+/g, ' ').trim(), 300);
}

export function nameNote(contribution: Contribution): string {
  const author = catalogAuthor(contribution);
  if (!kinds[contribution.type].isPublic) return 'We never add your e-mail address.';
  return author === ''
    ? 'Readers see it without a name. We never add your e-mail address.'
    : `Readers see it with the name “${withoutLinks(author)}”. We never add your e-mail address.`;
}

/** Quotes the beginning of a text that will be public, and says where it links. What stays private is not quoted. */
export function beginningOf({ type, body }: Contribution): MailBlock[] {
  if (!kinds[type].isPublic) return [];
  const read = readMarkdown(body);
  const quoted = quote(withoutLinks(shorten(plainText(body, undefined, read), 600)));
  const hosts = [...new Set(read.links.map(({ target }) => hostOf(target)))].filter((host) => host !== '');
  if (hosts.length === 0) return [quoted];
  return [quoted, paragraph(withoutLinks(`The text links to ${shorten(hosts.join(', '), 300)}.`))];
}
