import { hash, randomUUID } from 'node:crypto';
import {
  type Contribution,
  ContributionState,
  type Contributor,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { Principal } from '@knowledge/proto/knowledge/identity/v1/identity';
import { hasCode, KnowledgeError, mailboxOf, ownerNetworkOf } from '@knowledge/runtime';
import { clientAddressOf } from '@knowledge/runtime/http';
import { fromWireScope } from '@knowledge/runtime/wire';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { headerText } from '../../http/bearer.js';
import { requireCleanText } from '../../http/body-parsing.js';
import { rejectInCallersTerms } from '../../http/error-handler.js';
import { revisionEtag, revisionsOf } from '../../http/etags.js';
import { limitRoutes } from '../../http/limit-routes.js';
import { isNotModified, sendPrivate } from '../../http/send-read.js';
import { nextPage } from '../../present/article.js';
import { presentContribution, presentStatus, toWirePurpose, toWireType } from '../../present/contribution.js';
import { listContributions, readContribution, withdrawContribution } from '../../protocol/contributions.js';
import { limits } from '../../protocol/limits.js';
import { protocolVersion } from '../../protocol/service-words.js';
import { reviseContribution, submitContribution } from '../../protocol/submissions.js';
import { callContextOf, callOf, required } from '../../upstream/calls.js';
import { rateLimitHeaders, writeCharge } from '../../upstream/quota/quota.js';
import { toWireSite } from '../../upstream/sites.js';
import type { Gateway } from '../gateway.js';
import { registerOperation } from '../operation-route.js';
import { principalOf, requireToken } from '../subject.js';
import { readTextAddress } from '../text-address.js';
import { ignoredParameters, refuseUnknownParameters } from '../unknown-names.js';

/** Registers the routes that send, show and withdraw contributions (gateway/PROTOCOL.md#contributions). */
export async function registerContributionRoutes(
  app: FastifyInstance,
  { clients: { contributions }, tokens, quota, sites }: Pick<Gateway, 'clients' | 'tokens' | 'quota' | 'sites'>,
): Promise<void> {
  const hooks = { onRequest: requireToken(tokens) };
  const sendStatus = (reply: FastifyReply, sent: Contribution | undefined, replayed = false) => {
    const contribution = required(sent);
    reply.headers(etagOf(contribution));
    return sendPrivate(reply, { contribution: presentStatus(contribution, sites), ...(replayed && { replayed }) });
  };

  registerOperation(
    app,
    submitContribution,
    async (request, reply) => {
      const { body } = request;
      requireCleanText(body);
      const about = 'about' in body && body.about !== undefined ? readTextAddress(body.about, sites) : undefined;
      const site = body.site ?? about?.site ?? sites.ofRequest(request);
      const principal = principalOf(request);
      const submitting = contributions.submitContribution(
        {
          // Its texts have the same names in the message.
          ...body,
          contributor: contributorOf(principal, request),
          id: randomUUID(),
          type: toWireType(body.type),
          site: toWireSite(site),
          promptId: 'prompt_id' in body ? body.prompt_id : undefined,
          purpose: 'purpose' in body && body.purpose !== undefined ? toWirePurpose(body.purpose) : undefined,
          about: about && { ...about, site: toWireSite(about.site ?? site), title: '' },
          idempotencyKey: idempotencyKeyOf(request),
          payloadHash: payloadHash({ ...body, site }),
        },
        callOf(request),
      );
      const taken = await submitting.catch(async (error: unknown) => {
        if (hasCode(error, 'rate_limited')) reply.headers(await writeLimitHeadersOf(quota, principal, request));
        return sayHowToRepeat(error);
      });
      reply.headers(await writeLimitHeadersOf(quota, principal, request));
      const { contribution, replayed, duplicate, duplicateOf } = taken;
      const made = required(contribution);
      const presented = presentContribution(made, sites);
      if (replayed) reply.header('idempotent-replayed', 'true');
      return sendPrivate(reply.code(201).headers({ location: presented.status_url, ...etagOf(made) }), {
        contribution: presented,
        ...(replayed && { replayed }),
        ...(duplicate && { duplicate_of: duplicateOf === '' ? true : duplicateOf }),
      });
    },
    { ...hooks, preValidation: refuseUnknownParameters },
  );

  const listing: FastifyPluginAsync = async (lists) => {
    await limitRoutes(lists, {
      max: limits.ownListsPerMinute,
      why: 'lists of contributions a minute are sent to the agents of one mailbox; each contribution has its own URL.',
      hook: 'preHandler',
      keyGenerator: (request) => mailboxOf(principalOf(request).email),
    });
    registerOperation(
      lists,
      listContributions,
      async (request, reply) => {
        const { cursor = '', limit = limits.pageSize.default } = request.query;
        const { email, authorizationId } = principalOf(request);
        const state = ContributionState.UNSPECIFIED;
        const query = { email, authorizationId, state, pageSize: limit, pageToken: cursor };
        const page = await contributions.listContributions(query, callOf(request)).catch(rejectInCallersTerms);
        const base = sites.base(sites.ofRequest(request));
        return sendPrivate(reply, {
          ...ignoredParameters(request),
          api_version: protocolVersion,
          total: page.total,
          entries: page.contributions.map((each) => presentStatus(each, sites)),
          ...nextPage(`${base}/api/v1/contributions`, { limit: String(limit) }, page.nextPageToken),
        });
      },
      hooks,
    );
  };
  await app.register(listing);

  registerOperation(
    app,
    readContribution,
    async (request, reply) => {
      const { email, authorizationId } = principalOf(request);
      const { id } = request.params;
      const { contribution } = await contributions.getContribution({ email, id, authorizationId }, callOf(request));
      const { etag } = etagOf(required(contribution));
      if (isNotModified(request, etag)) return reply.code(304).headers({ etag, 'cache-control': 'no-store' }).send();
      return sendStatus(reply, contribution);
    },
    hooks,
  );

  registerOperation(
    app,
    reviseContribution,
    async (request, reply) => {
      const { body } = request;
      requireCleanText(body);
      const revising = contributions.reviseContribution(
        {
          ...body,
          contributor: contributorOf(principalOf(request), request),
          id: request.params.id,
          idempotencyKey: idempotencyKeyOf(request),
          payloadHash: payloadHash(body),
          ifRevisions: revisionsOf(request.headers['if-match']),
        },
        callOf(request),
      );
      const { contribution, replayed } = await revising.catch(sayHowToRepeat);
      if (replayed) reply.header('idempotent-replayed', 'true');
      return sendStatus(reply, contribution, replayed);
    },
    hooks,
  );

  registerOperation(
    app,
    withdrawContribution,
    async (request, reply) => {
      const { email, authorizationId } = principalOf(request);
      const { id } = request.params;
      const ifRevisions = revisionsOf(request.headers['if-match']);
      const owned = { email, id, authorizationId, ifRevisions };
      const { contribution } = await contributions.withdrawContribution(owned, callOf(request));
      return sendStatus(reply, contribution);
    },
    hooks,
  );
}

/** Adds to an outage, after which nobody knows whether the text was stored, how to send it again safely. */
function sayHowToRepeat(error: unknown): never {
  if (!hasCode(error, 'unavailable')) throw error;
  const { equalPayloadMinutes, idempotencyKeyHours } = limits;
  const message = `${error.message} Your text may be stored already. Send exactly the same again within ${equalPayloadMinutes} minutes, or with the same Idempotency-Key within ${idempotencyKeyHours} hours: it is stored once.`;
  throw new KnowledgeError('unavailable', message, { cause: error, retryAfterSeconds: error.retryAfterSeconds });
}

/** Returns the headers about the caller's limit; none if quota fails, because the contribution is decided already. */
async function writeLimitHeadersOf(quota: Gateway['quota'], { email }: Principal, request: FastifyRequest) {
  try {
    return rateLimitHeaders(await quota.peek([writeCharge(email)], callContextOf(request)));
  } catch {
    return {};
  }
}

function contributorOf(
  { scopes, email, tokenId, agentName, authorizationId, writesBlocked }: Principal,
  request: FastifyRequest,
): Contributor {
  const network = ownerNetworkOf(clientAddressOf(request));
  return { email, tokenId, scopes: scopes.map(fromWireScope), agentName, authorizationId, writesBlocked, network };
}

function etagOf({ shownRevision }: Contribution) {
  return { etag: revisionEtag(shownRevision) };
}

function idempotencyKeyOf(request: FastifyRequest) {
  return headerText(request, 'Idempotency-Key', limits.idempotencyKey);
}

// Sorts the fields, so that two submissions with the same fields in another order have the same hash.
function payloadHash(payload: Record<string, unknown>): Buffer {
  const sorted = Object.entries(payload).sort(([one], [other]) => (one < other ? -1 : 1));
  return hash('sha256', JSON.stringify(sorted), 'buffer');
}
