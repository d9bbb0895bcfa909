import type {
  AboutText,
  ContributionsServiceService,
  ReviseContributionRequest,
  SubmitContributionRequest,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import {
  actors,
  type CallContext,
  KnowledgeError,
  pageToken,
  readPageQuery,
  refuse,
  unlessNotFound,
} from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { bounds } from '@knowledge/runtime/product';
import type { Metrics } from '@knowledge/runtime/telemetry';
import { requireEmail, requireSite } from '@knowledge/runtime/wire';
import { foldEmail, type Owner } from '../domain/contribution.js';
import { decideEdit } from '../domain/edit.js';
import { sendNewText } from '../domain/new-text.js';
import { review } from '../domain/review.js';
import type { TextName } from '../domain/sent-fields.js';
import { languageOf, type Submission } from '../domain/submission.js';
import { refusePrivateLinks, type SubmitParts, submit } from '../domain/submit.js';
import type { Rule } from '../store/contributions.js';
import type { Stores } from '../stores.js';
import {
  optionalPurpose,
  optionalState,
  requireEditDecision,
  requireType,
  toWireContribution,
} from './wire-contribution.js';

export interface ContributionsParts extends Stores {
  submit: SubmitParts;
  metrics: Metrics;
}

type ContributionsHandlers = Omit<Handlers<ContributionsServiceService>, 'getActivePrompt' | 'listPublicPrompts'>;

export function contributionsHandlers(parts: ContributionsParts): ContributionsHandlers {
  const { contributions, people, personalData, endAuthorizations } = parts;
  const change = async (id: string, rule: Rule, call: CallContext) => {
    const { contribution } = await contributions.change(id, rule, call);
    return { contribution: toWireContribution(contribution) };
  };
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
      const act = actOf(owner.authorizationId === undefined ? actors.human : actors.agent, context);
      const { id, ifRevisions } = request;
      return change(id, review({ command: { kind: 'withdraw' }, act, owner, ifRevisions }), context);
    },

    async withdrawWaiting({ authorizationIds, ...request }, context) {
      const email = requireEmail(request.email);
      if (authorizationIds.length > bounds.authorizationIds || authorizationIds.some((id) => id === '')) {
        const message = `authorization_ids must be at most ${bounds.authorizationIds} ids, none empty.`;
        throw new KnowledgeError('validation_error', message);
      }
      const end = { at: context.now, by: actors.human };
      await endAuthorizations({ authorizationIds, email, end, withdrawWaiting: true }, context);
      return { withdrawn: await contributions.countEnded(authorizationIds, email, context.signal) };
    },

    async takeDownContribution({ email, id }, context) {
      const owner = ownerOf({ email, authorizationId: '' });
      return change(id, review({ command: { kind: 'take_down' }, act: actOf(actors.human, context), owner }), context);
    },

    async decideEdit({ email, id, revision, decision }, context) {
      const owner = ownerOf({ email, authorizationId: '' });
      const rule = decideEdit(requireEditDecision(decision), revision, owner, actOf(actors.human, context));
      return change(id, rule, context);
    },

    async eraseContribution({ email, id }, context) {
      const owner = ownerOf({ email, authorizationId: '' });
      const act = { actor: actors.human, at: context.now, reason: '' };
      const erased = await personalData.eraseWithdrawn({ _id: id, email: owner.email }, act, context);
      // What is erased is unknown, so a repeat succeeds too.
      const left = erased > 0 ? undefined : await contributions.getOwn(owner, id, context).catch(unlessNotFound);
      if (left === undefined) return {};
      throw new KnowledgeError('invalid_state', `Only what is withdrawn can be erased; this is ${left.state}.`);
    },

    async getMailChoice({ email }, { signal }) {
      return { eachReceipt: await people.eachReceipt(requireEmail(email), { signal }) };
    },

    async setMailChoice({ email, eachReceipt }, { signal }) {
      await people.chooseReceipts(requireEmail(email), eachReceipt, signal);
      return {};
    },
  };
}

/** What agent or human does, with the request by which a repeat is recognised. They give no reason. */
function actOf(actor: string, { now: at, requestId }: CallContext) {
  return { actor, at, reason: '', requestId };
}

/** Reads the owner whose contributions a call may read and change: one authorization or a whole person. */
function ownerOf({ email, authorizationId }: { email: string; authorizationId: string }): Owner {
  return { email: requireEmail(email), authorizationId: authorizationId === '' ? undefined : authorizationId };
}

function submitContribution({
  metrics,
  submit: parts,
}: ContributionsParts): Handlers<ContributionsServiceService>['submitContribution'] {
  const taken = metrics.counter({
    name: 'knowledge_contributions_total',
    help: 'Contributions that were accepted for review, by type; a repeated one counts once',
    labels: ['type'],
  });
  return async (request, context) => {
    const { contribution, replayed } = await submit(toSubmission(request), context, parts);
    if (!replayed) taken.inc({ type: contribution.type });
    const { duplicateOf } = contribution;
    return {
      contribution: toWireContribution(contribution),
      replayed,
      duplicate: duplicateOf !== null,
      duplicateOf: duplicateOf?.own === true ? duplicateOf.id : '',
    };
  };
}

function toSubmission(request: SubmitContributionRequest): Submission {
  const { type, site, purpose, about, ...sent } = request;
  return {
    ...sent,
    ...senderOf(request),
    type: requireType(type),
    site: requireSite(site),
    purpose: purpose && optionalPurpose(purpose),
    about: about && toTextName(about),
  };
}

function toTextName({ site, slug, objectId }: AboutText): TextName {
  if ((slug === '') === (objectId === '')) {
    refuse('about must have either slug or object_id');
  }
  const name = slug === '' ? { kind: 'object' as const, id: objectId } : { kind: 'article' as const, id: slug };
  return { site: requireSite(site), ...name };
}

/** Replaces the text of a contribution for which a moderator asked for changes. */
function reviseContribution({
  contributions,
  authorizations,
  submit: { operatorName, siteUrls },
}: ContributionsParts): Handlers<ContributionsServiceService>['reviseContribution'] {
  return async (request, context) => {
    const text = { ...request, ...senderOf(request) };
    await authorizations.refuseEnded(text.contributor.authorizationId, context.signal);
    const apply = sendNewText(text, await languageOf(text), context, operatorName);
    let replayed = false;
    const rule = (contribution: Parameters<typeof apply>[0]) => {
      const outcome = apply(contribution);
      refusePrivateLinks(text.body, siteUrls);
      replayed = outcome.replayed;
      return outcome;
    };
    const { contribution } = await contributions.change(request.id, rule, context);
    return { contribution: toWireContribution(contribution), replayed };
  };
}

/** @throws KnowledgeError `validation_error` if the contributor is missing. */
function senderOf({ contributor, payloadHash }: SubmitContributionRequest | ReviseContributionRequest) {
  if (contributor === undefined) refuse('contributor is required');
  return {
    contributor: { ...contributor, email: foldEmail(contributor.email) },
    payloadHash: Buffer.from(payloadHash).toString('hex'),
  };
}
