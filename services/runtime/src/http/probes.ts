import { HealthCheckResponse_ServingStatus, type HealthService } from '@knowledge/proto/grpc/health/v1/health';
import { KnowledgeError } from '../errors/knowledge-error.js';
import type { GrpcClient } from '../grpc/connect.js';
import type { RequestWatch } from '../telemetry/telemetry.js';

interface ProbeParts {
  /** What the process is called at the beginning of a sentence. */
  readonly name: string;
  /** The services that it calls, by name. */
  readonly services: Readonly<Record<string, Pick<GrpcClient<typeof HealthService>, 'check'>>>;
  /** What else it waits for until it is ready; the body names it. */
  readonly facts?: () => Readonly<Record<string, boolean>>;
  readonly isDraining: () => boolean;
  /** The configuration of both routes. */
  readonly config?: object;
}

/** The part of Fastify that registers a route. */
interface Routes {
  route(route: { method: string[]; url: string; config: object; handler: Handler }): unknown;
}

type Handler = (request: { readonly id: string }, reply: Reply) => unknown;

interface Reply {
  headers(headers: Readonly<Record<string, string>>): Reply;
  code(status: number): Reply;
  send(body: object): unknown;
}

/**
 * Registers `/healthz` (the process runs) and `/readyz` (it accepts traffic). It is ready after it has reached every
 * service once, until it drains. It stays ready when services fail later, because some responses need no service. Its
 * body then says which one is `down`, or `not_ready`: it runs, but its database confirms nothing. Both answer under
 * overload: a restart of one of two busy processes would leave all its load to the other.
 */
export function registerProbes(
  app: Routes,
  { name, services, facts = () => ({}), isDraining, config }: ProbeParts,
): void {
  const route = (url: string, handler: Handler) =>
    app.route({ method: ['GET', 'HEAD'], url, config: { ...config, pressureHandler: () => undefined }, handler });
  const headers = { 'cache-control': 'no-store' };
  let reached = false;
  // Probes at the same time share one round of calls, since nobody is refused here.
  let asked: Promise<Record<string, string>> | undefined;
  route('/healthz', (_request, reply) => reply.headers(headers).send({ ok: true }));
  route('/readyz', async ({ id }, reply) => {
    asked ??= statesOf(services, id).finally(() => {
      asked = undefined;
    });
    const states = await asked;
    const others = facts();
    reached ||= Object.values(states).every((state) => state === 'up') && Object.values(others).every(Boolean);
    if (reached && !isDraining()) return reply.headers(headers).send({ ok: true, services: states, ...others });
    return reply
      .headers({ ...headers, 'retry-after': '1' })
      .code(503)
      .send({
        ok: false,
        error: 'unavailable',
        message: isDraining() ? `${name} is stopping.` : `${name} has not reached every service yet.`,
        services: states,
      });
  });
}

const probeMs = 500;

/** The options of `under-pressure`: an overloaded process refuses requests, so that those in progress get a response. */
export function loadShedding(name: string, watch: Pick<RequestWatch, 'shed'>) {
  return {
    maxEventLoopDelay: 500,
    // The mean of 2 s, since one long step is no overload. The first render of the guide on little CPU is such a step.
    sampleInterval: 2_000,
    pressureHandler: () => {
      watch.shed();
      throw new KnowledgeError('unavailable', `${name} is busy; try again in a moment.`, { retryAfterSeconds: 2 });
    },
  };
}

async function statesOf(services: ProbeParts['services'], requestId: string) {
  const states = Object.entries(services).map(async ([name, client]) => {
    const state = await client.check({ service: 'readiness' }, { requestId, deadline: Date.now() + probeMs }).then(
      ({ status }) => (status === HealthCheckResponse_ServingStatus.SERVING ? 'up' : 'not_ready'),
      () => 'down',
    );
    return [name, state] as const;
  });
  return Object.fromEntries(await Promise.all(states));
}
