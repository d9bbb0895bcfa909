import type {
  ModerationServiceService,
  ContributionRecord as WireRecord,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { type CallContext, formatUtcTime, hasCode, KnowledgeError, later, refuse } from '@knowledge/runtime';
import { auditAttribution, type HandlerContext, type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { bounds, kinds, rules } from '@knowledge/runtime/product';
import { personHash, type WatchedLog, watchHandler } from '@knowledge/runtime/watch';
import { toWireSite, toWireTransition } from '@knowledge/runtime/wire';
import type { Command, Contribution } from '../domain/contribution.js';
import { editText } from '../domain/edit.js';
import { undoDecision } from '../domain/held-decision.js';
import { checkCommand, review } from '../domain/review.js';
import type { SubmitParts } from '../domain/submit.js';
import type { Rule } from '../store/contributions.js';
import type { LogEntry } from '../store/transition-log.js';
import type { Stores } from '../stores.js';
import { eraseContributor, exportContributor, type PersonalDataParts } from './personal-data.js';
import { requireDecision, toWireState, toWireType } from './wire-contribution.js';
import {
  readRecordFilter,
  readRecordPage,
  recordPageToken,
  toWireRecord,
  toWireRelatedWork,
  toWireWholeRecord,
} from './wire-record.js';

/** The parts of the moderation handlers. Each look at personal data is recorded before the data is returned. */
export interface ModerationParts extends PersonalDataParts {
  submit: SubmitParts;
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
  const notErased = async (id: string, error: unknown, { signal }: CallContext) => {
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
      const command: Required<Command> = { kind: requireDecision(decision), text, note };
      const act = actOf(context, reason);
      return change(id, review({ command, act, expectedRevision, holdSeconds }), context);
    },

    ...together,

    async undoDecision({ id, expectedRevision, groupId }, context) {
      if (groupId) return undoGroup(groupId, context);
      return change(id, undoDecision(actOf(context), expectedRevision), context);
    },

    async editContribution({ id, expectedRevision, reason, ...edit }, context) {
      return change(id, editText(edit, actOf(context, reason), expectedRevision, submit.operatorName), context);
    },

    streamContributorExport: exportContributor(parts),

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

/** Who decides, with the request by which a repeat is recognised. */
function actOf(context: HandlerContext, reason?: string) {
  return { ...requireAttribution(context, reason), requestId: context.requestId };
}

const mostListed = 100;

/** Decides about many contributions at once, and takes that back. */
function groupHandlers({ contributions, heldDecisions, groups, transitions }: Stores) {
  const changeEach = async (each: ReadonlyMap<string, Rule>, call: CallContext) => {
    const left = await contributions.changeTogether(each, call);
    groups.forget();
    return left;
  };

  // One entry of the log says what the entries of all contributions have in common.
  const record = (to: 'rejected together' | 'undone together', reason: string, context: HandlerContext) =>
    transitions.record({ subject: 'contribution', id: '', to, ...requireAttribution(context, reason) }, context.signal);

  const handlers: Pick<Handlers<ModerationServiceService>, 'listContributionGroups' | 'rejectGroup'> = {
    async listContributionGroups(_, { signal }) {
      const [all, held] = await Promise.all([groups.read(signal), heldDecisions.groups(signal)]);
      return { groups: all.slice(0, mostListed), more: Math.max(0, all.length - mostListed), held };
    },

    async rejectGroup(request, context) {
      const { contributions: seen, reason, endAgents: endsAgent } = request;
      const kept = new Set(request.keptAuthorizationIds);
      const { requestId: id } = context;
      const act = actOf(context, reason);
      const holdSeconds = request.holdSeconds || rules.undoSeconds;
      if (seen.length === 0 || seen.length > bounds.decidedAtOnce || seen.some(({ revision }) => revision < 1)) {
        const fault = `contributions must be 1 to ${bounds.decidedAtOnce}, each with the revision that you saw`;
        refuse(`${fault}`);
      }
      checkCommand({ kind: 'reject' }, reason);
      const agents = new Map<string, string>();
      const decide = (each: Contribution, expectedRevision: number) => {
        const ends = endsAgent && !kept.has(each.authorizationId);
        const outcome = review({
          command: { kind: kinds[each.type].isPublic ? 'reject' : 'close' },
          act,
          holdSeconds,
          expectedRevision,
          group: { id, endsAgent: ends },
        })(each);
        if (ends) agents.set(each.id, each.authorizationId);
        return outcome;
      };
      const each = new Map(seen.map(({ id, revision }) => [id, (now: Contribution) => decide(now, revision)]));
      const left = await changeEach(each, context);
      const decided = each.size - left.length;
      for (const { id } of left) agents.delete(id);
      const ended = new Set(agents.values()).size;
      const ends = ended > 0 ? `, and the access of their agents (${ended}) ends` : '';
      // The reason is with each contribution, where an erasure finds it.
      await record('rejected together', `${decided} contributions${ends}`, context);
      return { groupId: id, decided, left, takesEffectAt: later(act.at, holdSeconds * 1000) };
    },
  };

  const undoGroup = async (groupId: string, context: HandlerContext) => {
    const act = actOf(context);
    const held = await heldDecisions.ofGroup(groupId, context.signal);
    const left = await changeEach(new Map(held.map(({ id }) => [id, undoDecision(act, 0)])), context);
    const undone = held.length - left.length;
    if (undone === 0) {
      const message = 'There is no decision to undo: they took effect, or are undone already.';
      throw new KnowledgeError('invalid_state', message);
    }
    await record('undone together', `${undone} contributions wait again`, context);
    return { contribution: undefined, undone };
  };
  return { ...handlers, undoGroup };
}
