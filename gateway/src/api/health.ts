import type { FastifyInstance } from 'fastify';
import type { Gateway } from './gateway.js';

/**
 * Registers `/healthz` (the process runs) and `/readyz` (the process accepts traffic). The gateway is ready after it
 * has reached every service once, until it drains. It stays ready when services fail later, because some responses need
 * no service.
 */
export function registerHealth(
  app: FastifyInstance,
  { content, clients }: Pick<Gateway, 'content' | 'clients'>,
  isDraining: () => boolean,
): void {
  let reached = false;
  app.route({
    method: ['GET', 'HEAD'],
    url: '/healthz',
    handler: async (_request, reply) => reply.header('cache-control', 'no-store').send({ ok: true }),
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/readyz',
    handler: async (_request, reply) => {
      const services = Object.fromEntries(
        await Promise.all(
          (['content', 'quota', 'identity', 'contributions'] as const).map(async (name) => {
            const up = await clients[name].ready(Date.now() + probeMs).then(
              () => true,
              () => false,
            );
            return [name, up ? 'up' : 'down'] as const;
          }),
        ),
      );
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
