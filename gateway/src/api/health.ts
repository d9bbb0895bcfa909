import { HealthCheckResponse_ServingStatus } from '@knowledge/proto/grpc/health/v1/health';
import type { FastifyInstance } from 'fastify';
import { alwaysAnswered } from '../http/limit-routes.js';
import type { Gateway } from './gateway.js';

/**
 * Registers `/healthz` (the process runs) and `/readyz` (the process accepts traffic). The gateway is ready after it
 * has reached every service once, until it drains. It stays ready when services fail later, because some responses need
 * no service. Its body then says which one is `down`, or `not_ready`: it runs, but its database confirms nothing.
 * Both answer under overload: a restart of one of two busy gateways would leave all its load to the other.
 */
export function registerHealth(
  app: FastifyInstance,
  { content, clients }: Pick<Gateway, 'content' | 'clients'>,
  isDraining: () => boolean,
): void {
  let reached = false;
  const ask = async (requestId: string) => {
    const states = Object.entries(clients.health).map(async ([name, client]) => {
      const state = await client.check({ service: 'readiness' }, { requestId, deadline: Date.now() + probeMs }).then(
        ({ status }) => (status === HealthCheckResponse_ServingStatus.SERVING ? 'up' : 'not_ready'),
        () => 'down',
      );
      return [name, state] as const;
    });
    return Object.fromEntries(await Promise.all(states));
  };
  // Probes at the same time share one round of calls, since nobody is refused here.
  let asked: ReturnType<typeof ask> | undefined;
  app.route({
    method: ['GET', 'HEAD'],
    url: '/healthz',
    config: alwaysAnswered,
    handler: async (_request, reply) => reply.header('cache-control', 'no-store').send({ ok: true }),
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/readyz',
    config: alwaysAnswered,
    handler: async (request, reply) => {
      asked ??= ask(request.id).finally(() => {
        asked = undefined;
      });
      const services = await asked;
      const following = content.state().following;
      reached ||= following && Object.values(services).every((state) => state === 'up');
      const ready = reached && !isDraining();
      reply.header('cache-control', 'no-store').code(ready ? 200 : 503);
      if (ready) return reply.send({ ok: true, services, following_changes: following });
      return reply.header('retry-after', '1').send({
        ok: false,
        error: 'unavailable',
        message: isDraining() ? 'The gateway is stopping.' : 'The gateway has not reached every service yet.',
      });
    },
  });
}

const probeMs = 500;
