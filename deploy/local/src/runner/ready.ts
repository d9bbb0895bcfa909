import { HealthCheckResponse_ServingStatus, HealthService } from '@knowledge/proto/grpc/health/v1/health';
import { connectGrpc } from '@knowledge/runtime/grpc';
import { until } from '../processes/until.js';

/** Resolves when `grpc.health.v1` reports that the service is serving. Stops waiting when aborted. */
export async function untilGrpcReady(address: string, signal: AbortSignal): Promise<void> {
  const client = connectGrpc(HealthService, { address, callerName: 'local runner', deadlineMs: 1_000 });
  try {
    await until(signal, async () => {
      const answer = await client.check({ service: 'readiness' }, { requestId: 'local-start', signal });
      return answer.status === HealthCheckResponse_ServingStatus.SERVING;
    });
  } finally {
    client.close();
  }
}

/** Resolves when a GET returns 200. Stops waiting when aborted. */
export async function untilHttpOk(url: string, signal: AbortSignal): Promise<void> {
  await until(signal, async () => {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(1_000)]) });
    await response.body?.cancel();
    return response.status === 200;
  });
}
