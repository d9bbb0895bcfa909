import type { ContributionsServiceService } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { hasCode, KnowledgeError, pageToken, readPageQuery } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { requireEmail, requireSite } from '@knowledge/runtime/wire';
import type { Owner } from '../domain/contribution.js';
import { decideEdit } from '../domain/edit-decision.js';
import { humanActor, review } from '../domain/review.js';
import type { EndAuthorizations } from '../store/authorization-ending.js';
import type { PeopleStore } from '../store/people.js';
import type { PersonalDataStore } from '../store/personal-data.js';
import type { PromptStore } from '../store/prompts.js';
import { type ReviseParts, reviseContribution } from './revise-contribution.js';
import { type SubmitParts, submitContribution } from './submit-contribution.js';
import { toWireContribution, toWirePrompt } from './wire-contribution.js';
import { optionalState, requireEditDecision } from './wire-enums.js';

export interface ContributionsParts extends SubmitParts, ReviseParts {
  prompts: PromptStore;
  people: PeopleStore;
  personalData: PersonalDataStore;
  endAuthorizations: EndAuthorizations;
}

const maxAuthorizations = 200;

export function contributionsHandlers(parts: ContributionsParts): Handlers<ContributionsServiceService> {
  const { contributions, prompts, people, personalData, endAuthorizations } = parts;
  return {
    submitContribution: submitContribution(parts),

    async getContribution(request, context) {
      const contribution = await contributions.getOwn(ownerOf(request), request.id, context);
      return { contribution: toWireContribution(contribution) };
    },

    async listContributions(request, context) {
      const state = optionalState(request.state);
      const page = await contributions.listOwn(ownerOf(request), state, readPageQuery(request), context);
      const { items, total, next } = page;
      return { contributions: items.map(toWireContribution), total, nextPageToken: pageToken(next) };
    },

    reviseContribution: reviseContribution(parts),

    async withdrawContribution(request, context) {
      const owner = ownerOf(request);
      const { now: at, requestId } = context;
      const actor = owner.authorizationId === undefined ? humanActor : 'agent';
      const act = { actor, at, reason: '', requestId };
      const decide = review({ command: { kind: 'withdraw' }, act, owner, ifRevisions: request.ifRevisions });
      const { contribution } = await contributions.change(request.id, decide, context);
      return { contribution: toWireContribution(contribution) };
    },

    async withdrawWaiting({ authorizationIds, ...request }, context) {
      const email = requireEmail(request.email);
      if (authorizationIds.length > maxAuthorizations || authorizationIds.some((id) => id === '')) {
        const message = `authorization_ids must be at most ${maxAuthorizations} ids, none empty.`;
        throw new KnowledgeError('validation_error', message);
      }
      const end = { at: context.now, by: humanActor };
      await endAuthorizations({ authorizationIds, email, end, withdrawWaiting: true }, context);
      return { withdrawn: await contributions.countEnded(authorizationIds, email, context.signal) };
    },

    async takeDownContribution({ email, id }, context) {
      const owner = ownerOf({ email, authorizationId: '' });
      const { now: at, requestId } = context;
      const act = { actor: humanActor, at, reason: '', requestId };
      const decide = review({ command: { kind: 'take_down' }, act, owner });
      const { contribution } = await contributions.change(id, decide, context);
      return { contribution: toWireContribution(contribution) };
    },

    async decideEdit({ email, id, revision, decision }, context) {
      const owner = ownerOf({ email, authorizationId: '' });
      const { now: at, requestId } = context;
      const act = { actor: humanActor, at, reason: '', requestId };
      const rule = decideEdit(requireEditDecision(decision), revision, owner, act);
      const { contribution } = await contributions.change(id, rule, context);
      return { contribution: toWireContribution(contribution) };
    },

    async eraseContribution({ email, id }, context) {
      const owner = ownerOf({ email, authorizationId: '' });
      const act = { actor: humanActor, at: context.now, reason: '' };
      const erased = await personalData.eraseWithdrawn({ _id: id, email: owner.email }, act, context);
      const left = erased > 0 ? undefined : await contributions.getOwn(owner, id, context).catch(unlessUnknown);
      if (left === undefined) return {};
      throw new KnowledgeError('invalid_state', `Only what is withdrawn can be erased; this is ${left.state}.`);
    },

    async getMailChoice({ email }, { signal }) {
      return { eachReceipt: await people.eachReceipt(requireEmail(email), signal) };
    },

    async setMailChoice({ email, eachReceipt }, { signal }) {
      await people.chooseReceipts(requireEmail(email), eachReceipt, signal);
      return {};
    },

    async getActivePrompt({ site }, context) {
      const prompt = await prompts.active(requireSite(site), context);
      if (prompt === undefined) throw new KnowledgeError('not_found', 'No community prompt is active on this site.');
      return { prompt: toWirePrompt(prompt) };
    },

    async listPublicPrompts(request, context) {
      const { items, next } = await prompts.listPublic(requireSite(request.site), readPageQuery(request), context);
      return { prompts: items.map(toWirePrompt), nextPageToken: pageToken(next) };
    },
  };
}

// What is erased is unknown, so a repeat succeeds too.
function unlessUnknown(error: unknown): undefined {
  if (!hasCode(error, 'not_found')) throw error;
}

/** Reads the owner whose contributions a call may read and change: one authorization or a whole person. */
function ownerOf({ email, authorizationId }: { email: string; authorizationId: string }): Owner {
  return { email: requireEmail(email), authorizationId: authorizationId === '' ? undefined : authorizationId };
}
