import type { PeekRequest, PeekResponse } from '@knowledge/proto/knowledge/quota/v1/quota';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Policies } from '../domain/policy.js';
import type { Quota } from '../domain/quota.js';
import { presentAllowance, readCharge } from './wire.js';

const maxCharges = 16;

/** QuotaService.Peek. */
export function handlePeek(quota: Quota, policies: Policies): UnaryHandler<PeekRequest, PeekResponse> {
  return async ({ charges }, { signal }) => {
    if (charges.length > maxCharges) {
      throw new KnowledgeError('validation_error', `charges must have at most ${maxCharges} elements.`);
    }
    const read = charges.map((charge) => readCharge(charge, policies));
    return { allowances: (await quota.peek(read, signal)).map(presentAllowance) };
  };
}
