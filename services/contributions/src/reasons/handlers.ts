import type {
  ReasonServiceService,
  CannedReason as WireReason,
} from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { refuse } from '@knowledge/runtime';
import { type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { requireDecision, toWireDecision } from '../handlers/wire-contribution.js';
import { type CannedReason, checkReason, deleteReason, putReason } from './domain.js';
import type { ReasonStore } from './store.js';

export function reasonHandlers({ reasons }: { reasons: ReasonStore }): Handlers<ReasonServiceService> {
  return {
    async listReasons(_request, { signal }) {
      return { reasons: (await reasons.list(signal)).map(toWireReason) };
    },

    async putReason({ reason }, context) {
      if (reason === undefined) refuse('reason is required');
      const put = { ...reason, decisions: reason.decisions.map(requireDecision) };
      checkReason(put);
      const act = requireAttribution(context);
      const stored = await reasons.change(put.id, (before) => putReason(before, put, act), context.signal);
      return { reason: toWireReason(stored) };
    },

    async deleteReason({ id }, context) {
      const act = requireAttribution(context);
      await reasons.change(id, (before) => deleteReason(before, act), context.signal);
      return {};
    },
  };
}

function toWireReason({ id, words, decisions, order }: CannedReason): WireReason {
  return { id, words, decisions: decisions.map(toWireDecision), order };
}
