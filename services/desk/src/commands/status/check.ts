import { HealthCheckResponse_ServingStatus, HealthService } from '@knowledge/proto/grpc/health/v1/health';
import type { ServiceName } from '../../connection/services.js';
import { describeFailure } from '../../failure.js';
import type { Session } from '../../session.js';

/** One part of the system and how it is. */
export interface ComponentView {
  readonly id: string;
  /** `ready`, `not_ready` (it runs, but something that it needs is away), `down` or `not_configured`. */
  readonly state: 'ready' | 'not_ready' | 'down' | 'not_configured';
  readonly address: string | null;
  /** What is wrong, if something is. */
  readonly detail?: string;
}

const limitMs = 2000;

/** Asks a service for its readiness (grpc.health.v1). */
export async function checkService(session: Session, name: ServiceName): Promise<ComponentView> {
  const address = session.settings.addresses[name];
  if (address === undefined) return { id: name, state: 'not_configured', address: null };
  const health = session.connect(name, HealthService, { deadlineMs: limitMs });
  try {
    const { status } = await health.check({ service: 'readiness' }, session.call());
    if (status === HealthCheckResponse_ServingStatus.SERVING) return { id: name, state: 'ready', address };
    const detail = 'it runs, but something that it needs, such as its database, does not answer';
    return { id: name, state: 'not_ready', address, detail };
  } catch (error) {
    return { id: name, state: 'down', address, detail: reasonOf(error) };
  }
}

/** Asks a page of the system over HTTP. */
export async function checkPage(id: string, url: string, path: string): Promise<ComponentView> {
  try {
    const response = await fetch(new URL(path, url), { signal: AbortSignal.timeout(limitMs) });
    await response.body?.cancel();
    if (response.ok) return { id, state: 'ready', address: url };
    return { id, state: 'not_ready', address: url, detail: `${path} answers ${response.status}` };
  } catch (error) {
    return { id, state: 'down', address: url, detail: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  const { code, details } = ((error as Error).cause ?? {}) as { code?: unknown; details?: string };
  // Of grpc-js the details, of fetch the code of the socket.
  return details ?? (typeof code === 'string' ? code : describeFailure(error).message);
}
