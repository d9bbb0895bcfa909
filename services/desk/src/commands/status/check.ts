import { HealthCheckResponse_ServingStatus, HealthService } from '@knowledge/proto/grpc/health/v1/health';
import { KnowledgeError } from '@knowledge/runtime/client';
import { outageReason } from '../../connection/outage-reason.js';
import type { ServiceName } from '../../connection/services.js';
import type { Session } from '../../session.js';

export interface ComponentView {
  readonly id: string;
  /** `not_ready`: the process runs, but does not work, for example because its database does not respond. */
  readonly state: 'ready' | 'not_ready' | 'down' | 'not_configured';
  readonly address: string | null;
  readonly detail?: string;
}

const timeoutMs = 1500;

/** Checks by `grpc.health.v1` whether a service is ready. */
export async function checkService(session: Session, name: ServiceName): Promise<ComponentView> {
  const address = session.settings.addresses[name];
  if (address === undefined) return { id: name, state: 'not_configured', address: null };
  const health = session.connect(name, HealthService, { deadlineMs: timeoutMs });
  try {
    const { status } = await health.check({ service: 'readiness' }, session.callContext());
    if (status === HealthCheckResponse_ServingStatus.SERVING) return { id: name, state: 'ready', address };
    const detail = 'it runs, but something that it needs, such as its database, does not answer';
    return { id: name, state: 'not_ready', address, detail };
  } catch (error) {
    return { id: name, state: 'down', address, detail: reasonOf(error) };
  }
}

/** Checks whether a page responds over HTTP. */
export async function checkPage(id: string, url: string, path: string): Promise<ComponentView> {
  try {
    const response = await fetch(new URL(path, url), { signal: AbortSignal.timeout(timeoutMs) });
    await response.body?.cancel();
    if (response.ok) return { id, state: 'ready', address: url };
    return { id, state: 'not_ready', address: url, detail: `${path} answers ${response.status}` };
  } catch (error) {
    return { id, state: 'down', address: url, detail: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  // The function fetch puts the socket error into `cause`.
  const { code } = ((error as Error).cause ?? error) as { code?: unknown };
  if (typeof code === 'string') return outageReason({ details: code }) ?? code;
  if (error instanceof KnowledgeError) return outageReason(error.cause) ?? error.message;
  return (error as Error).name === 'TimeoutError' ? 'no answer in time' : (error as Error).message;
}
