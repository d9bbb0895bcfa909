import { Site as WireSite } from '@knowledge/proto/knowledge/common/v1/common';
import {
  type Authorization as WireAuthorization,
  AuthorizationState as WireState,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import { KnowledgeError } from '@knowledge/runtime';
import { type Authorization, type AuthorizationState, stateAt } from '../domain/authorization.js';
import { maskEmail } from '../domain/email.js';
import type { Site } from '../domain/site.js';
import { toWireScopes } from './wire-scopes.js';

/** A request as its human and its agent may see it. */
export function presentAuthorization(authorization: Authorization, now: Date): WireAuthorization {
  return {
    id: authorization.id,
    state: wireStates[stateAt(authorization, now)],
    maskedEmail: authorization.email === '' ? '' : maskEmail(authorization.email),
    agentName: authorization.agentName,
    scopes: toWireScopes(authorization.scopes),
    purpose: authorization.purpose,
    site: wireSites[authorization.site],
    userCode: authorization.userCode,
    createdAt: authorization.createdAt,
    expiresAt: authorization.expiresAt,
    decidedAt: authorization.decidedAt ?? undefined,
    renewedAgentName: authorization.renews?.agentName ?? '',
  };
}

/**
 * The state to filter by; undefined for all.
 *
 * @throws KnowledgeError `validation_error` for one that is not known.
 */
export function fromWireState(wire: WireState): AuthorizationState | undefined {
  if (wire === WireState.UNSPECIFIED) return undefined;
  const states = Object.keys(wireStates) as AuthorizationState[];
  const state = states.find((each) => each !== 'erased' && wireStates[each] === wire);
  if (state === undefined) throw new KnowledgeError('validation_error', 'state is not one that is known.');
  return state;
}

/** @throws KnowledgeError `validation_error` unless it is one of the two. */
export function fromWireSite(wire: WireSite): Site {
  if (wire === WireSite.IO) return 'io';
  if (wire === WireSite.ORG) return 'org';
  throw new KnowledgeError('validation_error', 'site must be io or org.');
}

const wireSites: Readonly<Record<Site, WireSite>> = { io: WireSite.IO, org: WireSite.ORG };

const wireStates: Readonly<Record<AuthorizationState, WireState>> = {
  pending: WireState.PENDING,
  confirmed: WireState.CONFIRMED,
  declined: WireState.DECLINED,
  issued: WireState.ISSUED,
  expired: WireState.EXPIRED,
  revoked: WireState.REVOKED,
  renewed: WireState.RENEWED,
  // Nobody but the log sees what is erased.
  erased: WireState.UNSPECIFIED,
};
