import {
  type ContributionRecord,
  ModerationServiceService,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { rules } from '@knowledge/runtime/product';
import { UsageError } from '../base/desk-error.js';
import { few, readAtRevision, resolveId } from '../base/ids.js';
import { callsOf, type Session } from '../base/session.js';
import { count, words } from '../base/text.js';
import { requireField } from '../base/words.js';
import { confirm } from '../terminal/ask.js';
import { forEachNamed } from '../terminal/command-table.js';
import { numberOf } from '../terminal/options.js';
import { type ContributionView, presentContribution } from './contribution.js';
import { dropsProposed, previewMail, type ReviewAction } from './decisions.js';
import { groupLimits } from './records.js';
import { describeHeld } from './teamwork.js';

export const moderation = callsOf('contributions', ModerationServiceService);

/** For calls that change many contributions. */
export const groupModeration = callsOf('contributions', ModerationServiceService, groupLimits);

/** A contribution that the user named by `ID@revision`, or by an id alone. */
interface FoundContribution {
  readonly id: string;
  /** The revision that the user named; 0 for none. */
  readonly revision: number;
  /** As lists have it, so that nobody counts as having seen its text. Undefined if its whole id is not in them. */
  readonly record: ContributionView | undefined;
}

/** Finds contributions by the first characters of their ids, each once. */
export async function findContributions(session: Session, words: readonly string[]): Promise<FoundContribution[]> {
  const found = await Promise.all(words.map((word) => findContribution(session, word)));
  return [...new Map(found.map((each) => [each.id, each])).values()];
}

async function findContribution(session: Session, word: string): Promise<FoundContribution> {
  // A missing address of the service is reported before a wrong id.
  const { listContributionRecords } = moderation(session);
  const named = readAtRevision(word);
  const records = new Map<string, ContributionView>();
  const find = async (idPrefix: string) => {
    const { contributions } = await listContributionRecords({ ...few, idPrefix });
    for (const each of contributions.map(presentContribution)) records.set(each.id, each);
    return [...records.values()];
  };
  const id = await resolveId(named.id, find, 'contribution');
  if (records.size === 0) await find(id);
  return { id, revision: named.revision, record: records.get(id) };
}

export async function findContributionId(session: Session, word: string): Promise<string> {
  return (await findContribution(session, word)).id;
}

/** Reads a contribution. If it is shown to the user, the service notes which revision they have seen. */
export async function readContribution(session: Session, id: string, isShown = true): Promise<ContributionView> {
  const { contribution } = await moderation(session).getContributionRecord({ id, notShown: !isShown });
  return presentContribution(requireField(contribution));
}

export interface ReviewOptions {
  revision: number;
  /** Set by `--unseen` of the commands that have it: publishes texts that the user never opened. */
  unseen?: boolean;
  /** Set by `--hold` of the commands that have it. */
  hold?: boolean;
}

/** The option `--revision` of a command that decides about what a user has seen. */
export const revision = {
  '--revision <n>': {
    about: 'as ID@n: refuse if it has changed since this revision, which you have seen',
    parse: numberOf(/^[1-9]\d{0,14}$/, 'Give a whole number from 1.'),
    initial: 0,
    initialWords: 'any',
  },
} as const;

/** The option `--hold` of decisions that can be undone for a while. */
export const holdFlag = {
  '--hold': `let it take effect in ${rules.undoSeconds} seconds, without asking; until then "review undo" takes it back`,
} as const;

/**
 * Applies an action to each contribution and prints its new state. Asks the user first if mails will be sent at once.
 * The service refuses a text that changed after the revision that the user named, or else last saw.
 */
export async function applyToEach(
  session: Session,
  words: readonly string[],
  { revision, hold = false, unseen = true }: ReviewOptions,
  action: ReviewAction,
): Promise<void> {
  if (revision !== 0 && words.length > 1) throw new UsageError('--revision goes with one id.');
  const mustConfirm = (action.mail !== undefined || action.isFinal === true) && !session.yes && !hold;
  const found = await findContributions(session, words);
  if (revision !== 0 && found.some((each) => each.revision !== 0))
    throw new UsageError('Give ID@revision or --revision, not both.');
  tellUnseen(session, found, unseen || found.length === 1);
  if (mustConfirm) await ask(session, found, action);
  const holdSeconds = hold ? rules.undoSeconds : 0;
  const apply = (named: Named) => action.apply(moderation(session), { ...named, holdSeconds });
  await decideEach(session, found, revision, apply, line);
}

/** A contribution, and the revision that the user named; 0 for the one that they last opened. */
interface Named {
  readonly id: string;
  readonly expectedRevision: number;
}

/** Decides about each contribution that was found. `revision` is that of `--revision`; 0 without it. */
export async function decideEach(
  session: Session,
  found: readonly FoundContribution[],
  revision: number,
  decide: (named: Named) => Promise<{ contribution?: ContributionRecord | undefined }>,
  text: (view: ContributionView) => string,
): Promise<void> {
  const revisions = new Map(found.map((each) => [each.id, each.revision]));
  const decideOne = async (id: string) => {
    const { contribution } = await decide({ id, expectedRevision: revision || (revisions.get(id) ?? 0) });
    return presentContribution(requireField(contribution));
  };
  await forEachNamed(session, [...revisions.keys()], decideOne, { text });
}

/** @throws UsageError if some were never shown to the user, and must have been. */
function tellUnseen(session: Session, found: readonly FoundContribution[], mayBeUnseen: boolean) {
  const never = found.filter(({ record }) => record?.seen_revision === 0).length;
  if (never === 0) return;
  const which = found.length === 1 ? 'This one' : `${never} of these ${found.length}`;
  const told = `${which} ${never === 1 ? 'was' : 'were'} never shown to you`;
  if (!mayBeUnseen)
    throw new UsageError(`${told}: read them with "review show", or add --unseen. Nothing was changed.`);
  session.print.note(`${told}.`);
}

async function ask(session: Session, found: readonly FoundContribution[], { verb, warning, mail }: ReviewAction) {
  const previews = found.flatMap(({ record }) => (record && mail ? previewMail(mail.kind, record, mail.text) : []));
  const what = found.length === 1 ? words(found[0]?.record?.type ?? '') : count(found.length, 'contribution');
  const drops = found.some(({ record }) => record?.proposed_edit) ? ` ${dropsProposed}` : '';
  await confirm(
    session,
    `${verb} ${found.length === 1 ? 'this ' : ''}${what}? ${warning}${drops}`,
    previews.join('\n\n'),
  );
}

function line({ type, id_at_revision: id, state, held, proposed_edit: proposal }: ContributionView) {
  if (held !== null) return `The ${words(type)} ${id}: ${describeHeld(held)}.`;
  const waiting = proposal === null ? '' : ', with an edit that waits for the yes of its human';
  return `The ${words(type)} ${id} is ${words(state)}${waiting}.`;
}
