import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { hasCode } from '@knowledge/runtime/client';
import type { Command } from 'commander';
import {
  answerAction,
  approveAction,
  closeAction,
  rejectAction,
  requestChangesAction,
} from '../../actions/review/decisions.js';
import { heldSeconds } from '../../actions/review/hold.js';
import type { ModerationClient } from '../../actions/review/moderation-client.js';
import type { ReviewAction } from '../../actions/review/review-action.js';
import type { CommandHandler } from '../../command-handler.js';
import { canAsk } from '../../confirm.js';
import { readListPages } from '../../connection/list-pages.js';
import { DeskError, UsageError } from '../../desk-error.js';
import { addExamples } from '../../global-options.js';
import { siteOption } from '../../options.js';
import {
  type ContributionView,
  contributionStates,
  contributionTypes,
  formatContribution,
  presentContribution,
} from '../../present/contribution.js';
import { requireField } from '../../present/require-field.js';
import { describeHeld } from '../../present/teamwork.js';
import { count } from '../../print/count.js';
import type { Paint } from '../../print/paint.js';
import { terminalSafeLine } from '../../print/terminal-safe.js';
import { readKey, readLine } from '../../read-line.js';
import type { Session } from '../../session.js';
import { withText } from '../../text-input.js';
import { sites } from '../../words.js';
import { readContribution } from './find.js';

export function addReviewNext(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('next')
    .description(
      'go through waiting contributions, oldest first, and decide on each with one key; each decision can be undone for 30 seconds',
    )
    .addOption(siteOption('only this site'))
    .action(
      handle(async (session, { site }: { site?: string }) => {
        if (!canAsk(session.host) || session.print.json) {
          throw new UsageError('"review next" needs a terminal; "review list" and "review show" work without one.');
        }
        await reviewWaiting(session, session.connect('contributions', ModerationServiceService), site);
      }),
    );
  addExamples(command, 'review next', 'review next --site org');
}

async function reviewWaiting(session: Session, moderation: ModerationClient, site: string | undefined): Promise<void> {
  const { formatTextChanges } = await import('../../difference/contribution-difference.js');
  const waiting = await readWaiting(session, moderation, site);
  const note = (text: string): void => session.print.note(text);
  const decided: number[] = [];
  try {
    for (let at = 0; at < waiting.length; at++) {
      const record = await readWaitingOne(session, moderation, waiting[at]?.id ?? '');
      if (record === undefined) continue;
      const shown = (each: ContributionView, paint: Paint): string =>
        `\n${formatContribution(each, paint)}${formatTextChanges(each, paint)}\n`;
      session.print.result(record, shown);
      const last = decided.at(-1);
      const undoLast = last === undefined ? undefined : () => undo(session, moderation, waiting[last]?.id ?? '');
      const outcome = await reviewOne(session, moderation, record, `${at + 1} of ${waiting.length}`, undoLast);
      if (outcome === 'quit') break;
      if (outcome === 'decided') decided.push(at);
      // The next round shows the contribution whose decision was undone.
      if (outcome === 'undone') at = (decided.pop() ?? at) - 1;
    }
  } finally {
    note(`${count(decided.length, 'contribution')} decided${waiting.length === 0 ? '; nothing waits' : ''}.`);
  }
}

/** Undoes the last decision. Returns whether it was still held. */
async function undo(session: Session, moderation: ModerationClient, id: string): Promise<boolean> {
  try {
    await moderation.undoDecision({ id, expectedRevision: 0 }, session.callContext());
    return true;
  } catch (error) {
    if (!hasCode(error, 'invalid_state')) throw error;
    session.print.note((error as Error).message);
    return false;
  }
}

/** Reads a contribution; undefined if it no longer waits for review, or somebody has decided on it. */
async function readWaitingOne(
  session: Session,
  moderation: ModerationClient,
  id: string,
): Promise<ContributionView | undefined> {
  try {
    const record = await readContribution(session, moderation, id);
    return record.state === 'pending_review' && record.held === null ? record : undefined;
  } catch (error) {
    if (hasCode(error, 'not_found')) return undefined;
    throw error;
  }
}

type StepResult = 'decided' | 'skipped' | 'undone' | 'quit';

async function reviewOne(
  session: Session,
  moderation: ModerationClient,
  record: ContributionView,
  place: string,
  undoLast: (() => Promise<boolean>) | undefined,
): Promise<StepResult> {
  const keys = record.type === 'inquiry' ? inquiryKeys : workKeys;
  const undoKeys = undoLast === undefined ? [] : [['u', 'undo the last'] as const];
  const offer = [...keys, ...undoKeys, ...commonKeys].map(([key, word]) => `${key} ${word}`);
  let draft = '';
  const apply = async (decision: ReviewAction): Promise<void> => {
    const request = { id: record.id, expectedRevision: record.revision, holdSeconds: heldSeconds };
    const { contribution } = await decision.apply(moderation, request, session.callContext());
    const { held, state } = presentContribution(requireField(contribution));
    session.print.note(held === null ? `It is ${state.replace('_', ' ')}.` : `Held: ${describeHeld(held)}.`);
  };
  for (;;) {
    const key = (await readKey(session.host, `${place}:  ${offer.join('   ')} ? `)).toLowerCase();
    if (key === 'q' || key === '\u0003' || key === '\u0004') return 'quit';
    if (key === 's') return 'skipped';
    if (key === 'u' && (await undoLast?.())) return 'undone';
    if (!keys.has(key)) continue;
    try {
      if (key === 'e') {
        await withText(session.host, {}, { draft, context: record.body }, (text) => {
          draft = text;
          return apply(answerAction(text));
        });
        return 'decided';
      }
      const action = await actionOf(session, key, record);
      if (action === undefined) continue;
      await apply(action);
      return 'decided';
    } catch (error) {
      // Somebody else decided first, or the text is not valid. The queue continues after the error message.
      if (!concernsThisOneOnly(error)) throw error;
      session.print.note((error as Error).message);
      if (hasCode(error, 'invalid_state')) return 'skipped';
    }
  }
}

function concernsThisOneOnly(error: unknown): boolean {
  const ofText = error instanceof DeskError && error.code === 'cancelled';
  return ofText || hasCode(error, 'invalid_state') || hasCode(error, 'validation_error');
}

const workKeys: ReadonlyMap<string, string> = new Map([
  ['a', 'approve'],
  ['p', 'publish'],
  ['r', 'reject'],
  ['n', 'ask for changes'],
]);
const inquiryKeys: ReadonlyMap<string, string> = new Map([
  ['e', 'answer'],
  ['c', 'close'],
  ['n', 'ask for changes'],
]);
const commonKeys: ReadonlyMap<string, string> = new Map([
  ['s', 'skip'],
  ['q', 'quit'],
]);

/** Makes the action for a key; undefined if the action needs a reason and the user typed none. */
async function actionOf(session: Session, key: string, record: ContributionView): Promise<ReviewAction | undefined> {
  if (key === 'a' || key === 'p') return approveAction(key === 'p', '');
  const what =
    { r: 'empty: do not reject', n: 'empty: do not ask' }[key] ?? 'empty: do not close, -: close without a reason';
  const reason = (
    await readLine(session.host, `Why? ${terminalSafeLine(record.email)} gets it by mail (${what}): `)
  ).trim();
  if (reason === '') return undefined;
  if (key === 'n') return requestChangesAction(reason);
  return key === 'r' ? rejectAction(reason) : closeAction({ reason: reason === '-' ? '' : reason, note: '' });
}

async function readWaiting(session: Session, moderation: ModerationClient, site: string | undefined) {
  const filter = {
    state: contributionStates.toWire('pending_review'),
    type: contributionTypes.toWire(undefined),
    site: sites.toWire(site),
  };
  const { items } = await readListPages(undefined, session.print, async (pageSize, pageToken) => {
    const page = await moderation.listContributionRecords({ ...filter, pageSize, pageToken }, session.callContext());
    // Only the ids are stored, so that a long queue needs little memory.
    return { items: page.contributions.map(idOf), nextPageToken: page.nextPageToken };
  });
  return items;
}

function idOf({ contribution }: { contribution: { id: string } | undefined }): { id: string } {
  return { id: requireField(contribution).id };
}
