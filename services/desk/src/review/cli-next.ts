import { hasCode, unlessNotFound } from '@knowledge/runtime/client';
import { type DecisionInput, type DecisionName, decisions, rules } from '@knowledge/runtime/product';
import { DeskError, UsageError } from '../base/desk-error.js';
import type { Session } from '../base/session.js';
import { count, type Paint, terminalSafeLine } from '../base/text.js';
import { requireField } from '../base/words.js';
import { moderation, readContribution } from '../contributions/cli-find.js';
import { type ContributionView, formatContribution, presentContribution } from '../contributions/contribution.js';
import { type DecisionTexts, decisionAction, labelOf } from '../contributions/decisions.js';
import { recordFilter } from '../contributions/records.js';
import { describeHeld } from '../contributions/teamwork.js';
import { formatTextChanges } from '../contributions/text-changes.js';
import { canAsk, readKey, readLine, withText } from '../terminal/ask.js';
import { command, readListPages } from '../terminal/command-table.js';
import { site } from '../terminal/options.js';

export const next = command({
  about: `go through waiting contributions, oldest first, and decide on each with one key; each decision can be undone for ${rules.undoSeconds} seconds`,
  takes: site('only this site'),
  async run(session, { site }) {
    if (!canAsk(session.host) || session.print.json) {
      throw new UsageError('"review next" needs a terminal; "review list" and "review show" work without one.');
    }
    await reviewWaiting(session, site);
  },
  examples: ['review next', 'review next --site org'],
});

async function reviewWaiting(session: Session, site: string | undefined) {
  const waiting = await readWaiting(session, site);
  const note = (text: string) => session.print.note(text);
  const decided: number[] = [];
  try {
    for (let at = 0; at < waiting.length; at++) {
      const record = await readWaitingOne(session, waiting[at]?.id ?? '');
      if (record === undefined) continue;
      const shown = (each: ContributionView, paint: Paint) =>
        `\n${formatContribution(each, paint)}${formatTextChanges(each, paint)}\n`;
      session.print.result(record, shown);
      const last = decided.at(-1);
      const undoLast = last === undefined ? undefined : () => undo(session, waiting[last]?.id ?? '');
      const outcome = await reviewOne(session, record, `${at + 1} of ${waiting.length}`, undoLast);
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
async function undo(session: Session, id: string) {
  try {
    await moderation(session).undoDecision({ id, expectedRevision: 0 });
    return true;
  } catch (error) {
    if (!hasCode(error, 'invalid_state')) throw error;
    session.print.note((error as Error).message);
    return false;
  }
}

/** Reads a contribution; undefined if it no longer waits for review, or somebody has decided on it. */
async function readWaitingOne(session: Session, id: string) {
  const record = await readContribution(session, id).catch(unlessNotFound);
  return record?.state === 'pending_review' && record.held === null ? record : undefined;
}

type StepResult = 'decided' | 'skipped' | 'undone' | 'quit';

async function reviewOne(
  session: Session,
  record: ContributionView,
  place: string,
  undoLast: (() => Promise<boolean>) | undefined,
): Promise<StepResult> {
  const keys = record.allowed_decisions.map((name) => [decisions[name].key, labelOf(name, record.state)] as const);
  const undoKeys = undoLast === undefined ? [] : [['u', 'Undo the last'] as const];
  const all = [...keys, ...undoKeys, ['s', 'Skip'] as const, ['q', 'Quit'] as const];
  const offer = all.map(([key, label]) => `${key} ${label.toLowerCase()}`).join('   ');
  let draft = '';
  const apply = async (name: DecisionName, texts: DecisionTexts) => {
    const holdSeconds = decisions[name].isHeld ? rules.undoSeconds : 0;
    const request = { id: record.id, expectedRevision: record.revision, holdSeconds };
    const { contribution } = await decisionAction(name, texts).apply(moderation(session), request);
    const { held } = presentContribution(requireField(contribution));
    session.print.note(held === null ? `${decisions[name].done}.` : `Held: ${describeHeld(held)}.`);
  };
  for (;;) {
    const key = (await readKey(session.host, `${place}:  ${offer} ? `)).toLowerCase();
    if (key === 'q' || key === '\u0003' || key === '\u0004') return 'quit';
    if (key === 's') return 'skipped';
    if (key === 'u' && (await undoLast?.())) return 'undone';
    const name = record.allowed_decisions.find((each) => decisions[each].key === key);
    if (name === undefined) continue;
    try {
      const asked = decisions[name].inputs.find(({ isForHuman }) => isForHuman);
      if (asked?.name === 'text') {
        await withText(session.host, {}, { draft, context: record.body }, (text) => {
          draft = text;
          return apply(name, { text });
        });
        return 'decided';
      }
      const written = asked === undefined ? '' : await readReason(session, name, asked, record);
      if (written === undefined) continue;
      await apply(name, { [asked?.name ?? 'reason']: written });
      return 'decided';
    } catch (error) {
      // Somebody else decided first, or the text is not valid. The queue continues after the error message.
      if (!concernsThisOneOnly(error)) throw error;
      session.print.note((error as Error).message);
      if (hasCode(error, 'invalid_state')) return 'skipped';
    }
  }
}

function concernsThisOneOnly(error: unknown) {
  const ofText = error instanceof DeskError && error.code === 'cancelled';
  return ofText || hasCode(error, 'invalid_state') || hasCode(error, 'validation_error');
}

/** Asks for a reason; undefined if the decision needs one and the user typed none. */
async function readReason(
  session: Session,
  name: DecisionName,
  { isNeeded }: DecisionInput,
  { email }: ContributionView,
) {
  const { verb = name } = decisions[name];
  const [act] = verb.split(' ');
  const without = isNeeded ? '' : `, -: ${act} without a reason`;
  const question = `Why? ${terminalSafeLine(email)} gets it by mail (empty: do not ${act}${without}): `;
  const reason = (await readLine(session.host, question)).trim();
  if (reason === '') return undefined;
  return !isNeeded && reason === '-' ? '' : reason;
}

/** The ids of what waits. Nothing else is stored, so that a long queue needs little memory. */
async function readWaiting(session: Session, site: string | undefined): Promise<readonly { readonly id: string }[]> {
  const filter = recordFilter({ states: ['pending_review'], site });
  const { items } = await readListPages(
    session,
    (page) => moderation(session).listContributionRecords({ filter, ...page }),
    ({ contributions }) => contributions.map(({ contribution }) => ({ id: requireField(contribution).id })),
  );
  return items;
}
