import type { ServiceConfig } from '@grpc/grpc-js';
import { idempotentMethods } from './proto-methods.js';

/**
 * The gRPC service config of a client: round robin, and retries only after UNAVAILABLE. It retries only methods whose
 * proto declares `idempotency_level` NO_SIDE_EFFECTS or IDEMPOTENT (SECURITY.md#between-the-services).
 */
export function serviceConfigOf(service: string): ServiceConfig {
  const name = idempotentMethods(service).map((method) => ({ service, method }));
  const retryPolicy = {
    maxAttempts: 3,
    initialBackoff: '0.05s',
    maxBackoff: '0.5s',
    backoffMultiplier: 2,
    retryableStatusCodes: ['UNAVAILABLE'],
  };
  return {
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: name.length === 0 ? [] : [{ name, retryPolicy }],
    // Each failure costs a token. gRPC stops retrying while half of the tokens or more are used up.
    retryThrottling: { maxTokens: 100, tokenRatio: 0.1 },
  } as unknown as ServiceConfig;
}
