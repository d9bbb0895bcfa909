import type { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { type CallContext, KnowledgeError } from '@knowledge/runtime';
import { type HandlerContext, type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { kinds, rules } from '@knowledge/runtime/product';
import type { Contribution } from '../domain/contribution.js';
import { undoDecision } from '../domain/held-decision.js';
import { checkCommand, review } from '../domain/review.js';
import type { ContributionStore, LeftContribution, Rule } from '../store/contributions.js';
import type { HeldDecisionStore } from '../store/held-decisions.js';
import type { Groups } from '../store/queue/groups.js';
import type { EraseContributorParts } from './erase-contributor.js';

export interface GroupParts {
  contributions: ContributionStore;
  heldDecisions: HeldDecisionStore;
  groups: Groups;
}

/** Who decides, with the request by which a repeat is recognised. */
export function actOf(context: HandlerContext, reason?: string) {
  return { ...requireAttribution(context, reason), requestId: context.requestId };
}

const mostTogether = 1_000;
const mostListed = 100;

/** Decides about many contributions at once, and takes that back. */
export function groupHandlers({
  contributions,
  heldDecisions,
  groups,
  transitions,
}: GroupParts & Pick<EraseContributorParts, 'transitions'>) {
  const changeEach = async (each: ReadonlyMap<string, Rule>, call: CallContext): Promise<LeftContribution[]> => {
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
      if (seen.length === 0 || seen.length > mostTogether || seen.some(({ revision }) => revision < 1)) {
        const fault = `contributions must be 1 to ${mostTogether}, each with the revision that you saw`;
        throw new KnowledgeError('validation_error', `${fault}.`);
      }
      checkCommand({ kind: 'reject' }, reason);
      const agents = new Set<string>();
      const decide = (each: Contribution, expectedRevision: number) => {
        const ends = endsAgent && !kept.has(each.authorizationId);
        const outcome = review({
          command: { kind: kinds[each.type].isPublic ? 'reject' : 'close' },
          act,
          holdSeconds,
          expectedRevision,
          group: { id, endsAgent: ends },
        })(each);
        if (ends) agents.add(each.authorizationId);
        return outcome;
      };
      const each = new Map(seen.map(({ id, revision }) => [id, (now: Contribution) => decide(now, revision)]));
      const left = await changeEach(each, context);
      const decided = each.size - left.length;
      const ends = agents.size > 0 ? `, and the access of their agents (${agents.size}) ends` : '';
      await record('rejected together', `${decided} contributions${ends}: ${reason}`, context);
      return { groupId: id, decided, left, takesEffectAt: new Date(act.at.getTime() + holdSeconds * 1000) };
    },
  };

  const undoGroup = async (groupId: string, context: HandlerContext) => {
    const act = actOf(context);
    const held = await heldDecisions.ofGroup(groupId, context.signal);
    const left = await changeEach(new Map(held.map(({ id }) => [id, undoDecision(act, 0)])), context);
    const undone = held.length - left.length;
    if (undone === 0) {
      throw new KnowledgeError(
        'invalid_state',
        'There is no decision to undo: they took effect, or are undone already.',
      );
    }
    await record('undone together', `${undone} contributions wait again`, context);
    return { contribution: undefined, undone };
  };
  return { ...handlers, undoGroup };
}
