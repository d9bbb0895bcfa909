import type {
  ModerationServiceService,
  ContributionRecord as WireRecord,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { type CallContext, formatUtcTime, hasCode, KnowledgeError } from '@knowledge/runtime';
import { auditAttribution, type Handlers } from '@knowledge/runtime/grpc';
import { personHash, type WatchedLog, watchHandler } from '@knowledge/runtime/watch';
import { toWireSite, toWireTransition } from '@knowledge/runtime/wire';
import { editText } from '../domain/edit.js';
import { undoDecision } from '../domain/held-decision.js';
import { review } from '../domain/review.js';
import type { Rule } from '../store/contributions.js';
import type { RecordQueue } from '../store/queue/record-queue.js';
import type { ReadRelatedWork } from '../store/related-work.js';
import type { LogEntry } from '../store/transition-log.js';
import { type EraseContributorParts, eraseContributor } from './erase-contributor.js';
import { exportContributor } from './export-contributor.js';
import { actOf, type GroupParts, groupHandlers } from './groups.js';
import { readRecordFilter, readRecordPage, recordPageToken } from './read-record-filter.js';
import type { SubmitParts } from './submit-contribution.js';
import { requireDecision, toWireState, toWireType } from './wire-enums.js';
import { toWireRecord, toWireRelatedWork, toWireWholeRecord } from './wire-record.js';

/** The parts of the moderation handlers. Each look at personal data is recorded before the data is returned. */
export interface ModerationParts extends Pick<SubmitParts, 'submit'>, EraseContributorParts, GroupParts {
  queue: RecordQueue;
  relatedWork: ReadRelatedWork;
  follower: WatchedLog<LogEntry>;
  teamwork: Teamwork;
}

/** Adds to records who has a contribution open, and the notes of colleagues. */
interface Teamwork {
  openBy(ids: readonly string[], call: CallContext): Promise<(id: string) => WireRecord['openBy']>;
  notes(id: string, call: CallContext): Promise<WireRecord['notes']>;
}

export function moderationHandlers(parts: ModerationParts): Handlers<ModerationServiceService> {
  const { contributions, queue, relatedWork, transitions, follower, teamwork, submit } = parts;
  const { undoGroup, ...together } = groupHandlers(parts);

  const change = async (id: string, rule: Rule, call: CallContext) => ({
    contribution: toWireRecord(await contributions.change(id, rule, call)),
  });

  // The record leads to what is erased too.
  const notErased = async (id: string, error: unknown, { signal }: CallContext): Promise<never> => {
    const erasure = hasCode(error, 'not_found') ? await transitions.erasureOf(id, signal) : null;
    if (erasure === null) throw error;
    const { actor, at } = erasure;
    const who = { human: 'by its human', system: 'at the end of its time' }[actor] ?? `by ${actor}`;
    throw new KnowledgeError('not_found', `It was erased ${who} on ${formatUtcTime(at)}. Nothing of its text is kept.`);
  };

  return {
    async listContributionRecords(request, context) {
      const page = await queue.list(readRecordFilter(request), readRecordPage(request), context);
      await transitions.record(
        { subject: 'contribution', id: '', to: 'listed', ...auditAttribution(context) },
        context.signal,
      );
      const openBy = await teamwork.openBy(
        page.items.map(({ contribution }) => contribution.id),
        context,
      );
      return {
        contributions: page.items.map((item) => ({
          ...toWireRecord(item, context.actor),
          openBy: openBy(item.contribution.id),
        })),
        nextPageToken: recordPageToken(page.next),
      };
    },

    async countContributionRecords(request, context) {
      const { counts, atLeast } = await queue.count(readRecordFilter(request), context);
      const wire = counts.map(({ state, type, site, count }) => ({
        state: toWireState(state),
        type: toWireType(type),
        site: toWireSite(site),
        count,
      }));
      return { counts: wire, atLeast };
    },

    async getContributionRecord({ id, notShown }, context) {
      const attribution = auditAttribution(context);
      const record = await contributions
        .getRecord(id, notShown ? undefined : attribution.actor, context)
        .catch((error: unknown) => notErased(id, error, context));
      const { email } = record.contribution;
      const whose = email === '' ? {} : { person: personHash(email) };
      await transitions.record({ subject: 'contribution', id, to: 'viewed', ...whose, ...attribution }, context.signal);
      const [openBy, notes, related] = await Promise.all([
        teamwork.openBy([id], context),
        teamwork.notes(id, context),
        relatedWork(record.contribution, context.signal),
      ]);
      const beside = { ...toWireRelatedWork(related, email), openBy: openBy(id), notes };
      return { contribution: { ...toWireWholeRecord(record, attribution.actor), ...beside } };
    },

    async decide({ id, expectedRevision, decision, reason, text = '', note = '', holdSeconds }, context) {
      const command = { kind: requireDecision(decision), text, note };
      const act = actOf(context, reason);
      return change(id, review({ command, act, expectedRevision, holdSeconds }), context);
    },

    ...together,

    async undoDecision({ id, expectedRevision, groupId }, context) {
      if (groupId) return undoGroup(groupId, context);
      return change(id, undoDecision(actOf(context), expectedRevision), context);
    },

    async editContribution({ id, expectedRevision, reason, title, body, name, remove, forgetBefore }, context) {
      const edit = { title, body, name, remove, forgetBefore };
      return change(id, editText(edit, actOf(context, reason), expectedRevision, submit.operatorName), context);
    },

    ...exportContributor(parts),

    eraseContributor: eraseContributor(parts),

    watchContributions: watchHandler(follower, {
      factsOf: (entry) => entry,
      toWire: ({ subject, id, site, name: title = '', ...transition }, cursor) => ({
        cursor,
        subject,
        id,
        title,
        site: toWireSite(site),
        transition: toWireTransition(transition),
      }),
    }),
  };
}
