import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { hasCode } from '@knowledge/runtime';
import type { Command } from 'commander';
import { canAsk } from '../../confirm.js';
import { readPages } from '../../connection/pages.js';
import type { Act } from '../../desk.js';
import { UsageError } from '../../desk-error.js';
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
import { count } from '../../print/count.js';
import { createPaint } from '../../print/paint.js';
import { readKey, readLine } from '../../read-line.js';
import type { Session } from '../../session.js';
import { readText } from '../../texts.js';
import { sites } from '../../words.js';
import { answering } from './answer.js';
import { approving } from './approve.js';
import { closing } from './close.js';
import type { Decision, ModerationClient } from './decide.js';
import { readContribution } from './find.js';
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
  for (const [at, { id }] of waiting.entries()) {
    const record = await readContribution(session, moderation, id);
    if (record.state !== 'pending_review') continue;
    const paint = createPaint(session.host.stdout, session.host.env);
    session.host.stdout.write(`\n${formatContribution(record, paint)}\n\n`);
    const outcome = await decideOne(session, moderation, record, `${at + 1} of ${waiting.length}`);
    if (outcome === 'quit') break;
    if (outcome === 'decided') decided++;
  }
  tell(`${count(decided, 'contribution')} decided${waiting.length === 0 ? '; nothing waits' : ''}.`);
}

type Outcome = 'decided' | 'skipped' | 'quit';

async function decideOne(
  session: Session,
  moderation: ModerationClient,
  record: ContributionView,
  place: string,
): Promise<Outcome> {
  const keys = record.type === 'inquiry' ? inquiryKeys : workKeys;
  const offer = Object.entries({ ...keys, ...commonKeys }).map(([key, word]) => `${key} ${word}`);
  for (;;) {
    const key = (await readKey(session.host, `${place}:  ${offer.join('   ')} ? `)).toLowerCase();
    if (key === 'q' || key === '\u0003' || key === '\u0004') return 'quit';
    if (key === 's') return 'skipped';
    const decision = key in keys ? await decisionOf(session, key, record) : undefined;
    if (decision === undefined) continue;
    try {
      const request = { id: record.id, expectedRevision: record.revision };
      const { contribution } = await decision.make(moderation, request, session.call());
      session.print.note(`It is ${presentContribution(required(contribution)).state.replace('_', ' ')}.`);
      return 'decided';
    } catch (error) {
      // Somebody was faster, or the text does not do: that is no end of the walk.
      if (!hasCode(error, 'invalid_state') && !hasCode(error, 'validation_error')) throw error;
      session.print.note((error as Error).message);
      if (hasCode(error, 'invalid_state')) return 'skipped';
    }
  }
}

const workKeys: Readonly<Record<string, string>> = { a: 'approve', p: 'publish', r: 'reject' };
const inquiryKeys: Readonly<Record<string, string>> = { e: 'answer', c: 'close' };
const commonKeys: Readonly<Record<string, string>> = { s: 'skip', q: 'quit' };

/** What a key decides; undefined if the user gave no text for it. */
async function decisionOf(session: Session, key: string, record: ContributionView): Promise<Decision | undefined> {
  const { host } = session;
  if (key === 'a') return approving(false, '');
  if (key === 'p') return approving(true, '');
  if (key === 'r') {
    const reason = (await readLine(host, `Why? ${record.email} gets it by mail (empty: do not reject): `)).trim();
    return reason === '' ? undefined : rejecting(reason);
  }
  if (key === 'c') {
    const reason = await readLine(host, `Why? ${record.email} gets it by mail (- : do not close): `);
    return reason.trim() === '-' ? undefined : closing({ reason: reason.trim(), note: '' });
  }
  const text = await readText(host, {}, record.body).catch((error: unknown) => {
    session.print.note((error as Error).message);
    return undefined;
  });
  return text === undefined ? undefined : answering(text);
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
