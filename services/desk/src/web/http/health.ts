import { HealthService } from '@knowledge/proto/grpc/health/v1/health';
import type { FastifyInstance } from 'fastify';
import { serviceNames } from '../../services.js';
import type { WebDesk } from '../web-desk.js';

const probeMs = 500;

/**
 * Registers `/healthz` (the process runs) and `/readyz` (it accepts traffic). The web desk is ready after it has reached
 * every service once, until it drains, since a page whose service is down says so.
 */
export function registerHealth(app: FastifyInstance, { connect }: WebDesk, isDraining: () => boolean): void {
  const method = ['GET', 'HEAD'];
  const config = { anyHost: true };
  let reached = false;
  app.route({ method, url: '/healthz', config, handler: async (_request, reply) => reply.send({ ok: true }) });
  app.route({
    method,
    url: '/readyz',
    config,
    handler: async (_request, reply) => {
      const up = async (name: (typeof serviceNames)[number]): Promise<readonly [string, string]> =>
        connect(name, HealthService)
          .ready(Date.now() + probeMs)
          .then(
            () => [name, 'up'] as const,
            () => [name, 'down'] as const,
          );
      const services = Object.fromEntries(await Promise.all(serviceNames.map(up)));
      reached ||= Object.values(services).every((state) => state === 'up');
      const ready = reached && !isDraining();
      return reply.code(ready ? 200 : 503).send({ ok: ready, services });
    },
  });
}
