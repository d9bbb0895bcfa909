import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import type { ServiceConfig } from '@grpc/grpc-js';
import { descriptorSet } from '@knowledge/proto/descriptors';

/**
 * The gRPC service config of a client: round robin, and retries only after UNAVAILABLE. It retries only methods whose
 * proto declares `idempotency_level` NO_SIDE_EFFECTS or IDEMPOTENT (SECURITY.md#between-the-services).
 */
export function serviceConfigOf(service: string, descriptors = descriptorSet()): ServiceConfig {
  const name = idempotentMethods(service, descriptors).map((method) => ({ service, method }));
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

/** The proto names of the idempotent methods of a service. */
export function idempotentMethods(service: string, descriptors = descriptorSet()): string[] {
  const { file } = fromBinary(FileDescriptorSetSchema, descriptors);
  for (const { package: pkg, service: services } of file) {
    const found = services.find((each) => `${pkg}.${each.name}` === service);
    if (found === undefined) continue;
    return found.method
      .filter(({ options }) => {
        const level = options?.idempotencyLevel ?? MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN;
        return level !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN;
      })
      .map((each) => each.name);
  }
  return [];
}
