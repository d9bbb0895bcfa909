import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { hasCode } from '@knowledge/runtime';
import type { Command } from 'commander';
import type { Act } from '../../act.js';
import { canAsk } from '../../confirm.js';
import { readPages } from '../../connection/pages.js';
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
import { required } from '../../present/required.js';
import { cleanLine } from '../../print/clean.js';
import { count } from '../../print/count.js';
import { readKey, readLine } from '../../read-line.js';
import type { Session } from '../../session.js';
import { withText } from '../../texts.js';
import { sites } from '../../words.js';
import { answering } from './answer.js';
import { approving } from './approve.js';
import { closing } from './close.js';
import type { Decision } from './decide.js';
import { readContribution } from './find.js';
import type { ModerationClient } from './moderation-client.js';
import { rejecting } from './reject.js';

export function addReviewNext(parent: Command, act: Act): void {
  const command = parent
    .command('next')
    .description('go through what waits, the oldest first: one key decides over each')
    .addOption(siteOption('only this site'))
    .action(
      act(async (session, { site }: { site?: string }) => {
        if (!canAsk(session.host) || session.print.json) {
          throw new UsageError('"review next" needs a terminal; "review list" and "review show" do without.');
        }
        await walk(session, session.connect('contributions', ModerationServiceService), site);
      }),
    );
  addExamples(command, 'review next', 'review next --site org');
}

async function walk(session: Session, moderation: ModerationClient, site: string | undefined): Promise<void> {
  const waiting = await readWaiting(session, moderation, site);
  const tell = (text: string): void => session.print.note(text);
  let decided = 0;
  try {
    for (const [at, { id }] of waiting.entries()) {
      const record = await readWaitingOne(session, moderation, id);
      if (record === undefined) continue;
      session.print.thing(record, (each, paint) => `\n${formatContribution(each, paint)}\n`);
      const outcome = await decideOne(session, moderation, record, `${at + 1} of ${waiting.length}`);
      if (outcome === 'quit') break;
      if (outcome === 'decided') decided++;
    }
  } finally {
    tell(`${count(decided, 'contribution')} decided${waiting.length === 0 ? '; nothing waits' : ''}.`);
  }
}

/** Undefined for one that somebody else decided, withdrew or erased meanwhile. */
async function readWaitingOne(
  session: Session,
  moderation: ModerationClient,
  id: string,
): Promise<ContributionView | undefined> {
  try {
    const record = await readContribution(session, moderation, id);
    return record.state === 'pending_review' ? record : undefined;
  } catch (error) {
    if (hasCode(error, 'not_found')) return undefined;
    throw error;
  }
}

type Outcome = 'decided' | 'skipped' | 'quit';

async function decideOne(
  session: Session,
  moderation: ModerationClient,
  record: ContributionView,
  place: string,
): Promise<Outcome> {
  const keys = record.type === 'inquiry' ? inquiryKeys : workKeys;
  const offer = [...keys, ...commonKeys].map(([key, word]) => `${key} ${word}`);
  let draft = '';
  const make = async (decision: Decision): Promise<void> => {
    const request = { id: record.id, expectedRevision: record.revision };
    const { contribution } = await decision.make(moderation, request, session.call());
    session.print.note(`It is ${presentContribution(required(contribution)).state.replace('_', ' ')}.`);
  };
  for (;;) {
    const key = (await readKey(session.host, `${place}:  ${offer.join('   ')} ? `)).toLowerCase();
    if (key === 'q' || key === '\u0003' || key === '\u0004') return 'quit';
    if (key === 's') return 'skipped';
    if (!keys.has(key)) continue;
    try {
      if (key === 'e') {
        await withText(session.host, {}, { draft, context: record.body }, (text) => {
          draft = text;
          return make(answering(text));
        });
        return 'decided';
      }
      const decision = await decisionOf(session, key, record);
      if (decision === undefined) continue;
      await make(decision);
      return 'decided';
    } catch (error) {
      // Somebody was faster, or the text does not do: that is no end of the walk.
      if (!isOfThisOne(error)) throw error;
      session.print.note((error as Error).message);
      if (hasCode(error, 'invalid_state')) return 'skipped';
    }
  }
}

function isOfThisOne(error: unknown): boolean {
  const ofText = error instanceof DeskError && error.code === 'cancelled';
  return ofText || hasCode(error, 'invalid_state') || hasCode(error, 'validation_error');
}

const workKeys: ReadonlyMap<string, string> = new Map([
  ['a', 'approve'],
  ['p', 'publish'],
  ['r', 'reject'],
]);
const inquiryKeys: ReadonlyMap<string, string> = new Map([
  ['e', 'answer'],
  ['c', 'close'],
]);
const commonKeys: ReadonlyMap<string, string> = new Map([
  ['s', 'skip'],
  ['q', 'quit'],
]);

/** What a key decides; undefined if the user gave no reason for it. */
async function decisionOf(session: Session, key: string, record: ContributionView): Promise<Decision | undefined> {
  if (key === 'a' || key === 'p') return approving(key === 'p', '');
  const what = key === 'r' ? 'empty: do not reject' : 'empty: do not close, -: close without a reason';
  const reason = (await readLine(session.host, `Why? ${cleanLine(record.email)} gets it by mail (${what}): `)).trim();
  if (reason === '') return undefined;
  return key === 'r' ? rejecting(reason) : closing({ reason: reason === '-' ? '' : reason, note: '' });
}

async function readWaiting(session: Session, moderation: ModerationClient, site: string | undefined) {
  const filter = {
    state: contributionStates.value('pending_review'),
    type: contributionTypes.value(undefined),
    site: sites.value(site),
  };
  const { items } = await readPages(undefined, session.print, async (pageSize, pageToken) => {
    const page = await moderation.listContributionRecords({ ...filter, pageSize, pageToken }, session.call());
    // Their ids are enough: a long queue is not kept in memory.
    return { items: page.contributions.map(idOf), nextPageToken: page.nextPageToken };
  });
  return items;
}

function idOf({ contribution }: { contribution: { id: string } | undefined }): { id: string } {
  return { id: required(contribution).id };
}
