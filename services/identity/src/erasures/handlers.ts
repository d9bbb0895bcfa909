import {
  type ConfirmedErasureServiceService,
  type ErasureServiceService,
  ErasureState,
  type Erasure as WireErasure,
} from '@knowledge/proto/knowledge/identity/v1/erasures';
import type { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import {
  type Attribution,
  type CallContext,
  isUuid,
  KnowledgeError,
  pageToken,
  readPageQuery,
  refuse,
} from '@knowledge/runtime';
import { auditAttribution, type Handlers, requireAttribution, requireExplained } from '@knowledge/runtime/grpc';
import { rules } from '@knowledge/runtime/product';
import { aboutHash } from '@knowledge/runtime/transition-log';
import { personHash } from '@knowledge/runtime/watch';
import { enumWords, requireEmail } from '@knowledge/runtime/wire';
import { v5 } from 'uuid';
import type { Stores } from '../store/open-stores.js';
import {
  cancel,
  confirm,
  type Erasure,
  type ErasureChange,
  finish,
  newErasure,
  requireConfirmed,
  requireErasedHere,
} from './domain.js';
import type { ErasureStore } from './store.js';

interface ErasureParts extends Pick<Stores, 'people' | 'transitions'> {
  erasures: ErasureStore;
}

/** The handlers for support. Each step is in the log of transitions, with the hash of the person. */
export function erasureHandlers({ erasures, transitions }: ErasureParts): Handlers<ErasureServiceService> {
  return {
    async requestErasure({ email: address, withWork, reason }, call) {
      const email = requireEmail(address);
      const act = requireExplained(call, reason);
      const person = personHash(email);
      const erasure = newErasure({ id: idOf(person, call.requestId), email, person, withWork }, act);
      const open = await openOf(person, call);
      if (open !== undefined && open.id !== erasure.id) {
        throw new KnowledgeError('invalid_state', `${open.askedBy} has asked for this already: ${open.id}.`);
      }
      if (open !== undefined) return { erasure: toWireErasure(open) };
      await transitions.record({ ...aboutHash(person), to: 'erasure requested', ...act }, call.signal);
      await erasures.insert(erasure, call);
      return { erasure: toWireErasure(erasure) };
    },

    async confirmErasure({ id }, call) {
      const act = requireAttribution(call);
      const now = await changeErasure(erasures, id, (found) => confirm(found, act), call);
      await recordDecision(now, 'erasure confirmed', { ...act, reason: now.reason }, call);
      return { erasure: toWireErasure(now) };
    },

    async cancelErasure({ id, reason }, call) {
      const act = requireAttribution(call, reason);
      const now = await changeErasure(erasures, id, (found) => cancel(found, act), call);
      await recordDecision(now, 'erasure cancelled', act, call);
      return { erasure: toWireErasure(now) };
    },

    async listErasures(request, call) {
      const person = request.email === '' ? undefined : personHash(requireEmail(request.email));
      const scope = ['erasures', request.all ? 'all' : 'open', person ?? ''];
      const { items, next } = await erasures.list({ all: request.all, person }, readPageQuery(request, scope), call);
      const whose = person === undefined ? { subject: 'person' as const, id: '' } : aboutHash(person);
      await transitions.record({ ...whose, to: 'listed', ...auditAttribution(call) }, call.signal);
      return { erasures: items.map(toWireErasure), nextPageToken: pageToken(next, scope) };
    },
  };

  // Another member may repeat a call without a fault, but did not decide.
  async function recordDecision(
    { person, decidedBy }: Erasure,
    to: 'erasure confirmed' | 'erasure cancelled',
    act: Attribution,
    { signal }: CallContext,
  ) {
    if (decidedBy === act.actor) await transitions.record({ ...aboutHash(person), to, ...act }, signal);
  }

  async function openOf(person: string, call: CallContext) {
    const { items } = await erasures.list({ all: false, person }, { size: 1, after: undefined }, call);
    return items[0];
  }
}

// A repeat with the same request id meets the first request.
function idOf(person: string, requestId: string) {
  return v5(`${person} ${requestId}`, namespace);
}

const namespace = '0d1d0c2e-5c0a-5b0e-9c6d-6a4d0a5f3e11';

/**
 * Erases identity's part of a person after a second staff member confirmed it. The log records who did, and loses the
 * reasons of all that it has about the person, before anything is erased.
 */
export function erasePerson({
  erasures,
  people,
  transitions,
}: ErasureParts): Handlers<GrantAdminServiceService>['erasePerson'] {
  return async ({ erasureId, email: expected }, call) => {
    const found = await changeErasure(erasures, erasureId, (erasure) => void requireConfirmed(erasure), call);
    const { email, person, state } = found;
    if (state === 'done') return { authorizations: 0, tokens: 0 };
    if (expected !== '' && expected.toLowerCase() !== email) {
      refuse('email is not that of the erasure');
    }
    const act = requireAttribution(call);
    await transitions.forgetReasons(person, call.signal);
    await transitions.record({ ...aboutHash(person), to: 'erased', ...act }, call.signal);
    const erased = await people.erase(email, act, call);
    await changeErasure(erasures, erasureId, ({ erasedHere }) => (erasedHere ? undefined : { erasedHere: true }), call);
    return erased;
  };
}

/** What contributions asks before it erases its part, and says afterwards. */
export function confirmedErasureHandlers({ erasures }: ErasureParts): Handlers<ConfirmedErasureServiceService> {
  return {
    async getConfirmedErasure({ id }, call) {
      const found = await changeErasure(erasures, id, (erasure) => void requireErasedHere(erasure), call);
      const { email, withWork, reason } = found;
      return { email, withWork, reason };
    },
    async finishErasure({ id }, call) {
      await changeErasure(erasures, id, (erasure) => finish(erasure, call.now), call);
      return {};
    },
  };
}

/** Changes a request. @throws KnowledgeError `not_found` if it is unknown or has lapsed, and what `decide` throws */
async function changeErasure(
  erasures: ErasureStore,
  id: string,
  decide: (found: Erasure) => ErasureChange,
  call: CallContext,
): Promise<Erasure> {
  const now = isUuid(id) ? await erasures.change(id, decide, call) : undefined;
  if (now === undefined) {
    throw new KnowledgeError(
      'not_found',
      `There is no erasure with this id; a request lapses after ${rules.erasureDays} days.`,
    );
  }
  return now;
}

const { toWire: toWireState } = enumWords('state', ErasureState);

function toWireErasure({ state, decidedAt, ...erasure }: Erasure): WireErasure {
  const { erasedHere: _, purgeAt: __, ...rest } = erasure;
  return { ...rest, state: toWireState(state), decidedAt: decidedAt ?? undefined };
}
