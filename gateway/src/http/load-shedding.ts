import underPressure from '@fastify/under-pressure';
import { KnowledgeError } from '@knowledge/runtime';
import type { RequestWatch } from '@knowledge/runtime/telemetry';
import type { FastifyInstance } from 'fastify';

/** The event loop delay above which requests are refused, in milliseconds. */
const maxEventLoopDelayMs = 500;

/** Refuses requests with `unavailable` while the process is overloaded, so that requests in progress get a response. */
export async function registerLoadShedding(app: FastifyInstance, watch: Pick<RequestWatch, 'shed'>): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    // The mean of 2 s: one long step, such as the first render of the guide on little CPU, is no overload.
    sampleInterval: 2_000,
    pressureHandler: () => {
      watch.shed();
      throw new KnowledgeError('unavailable', 'The service is busy; try again in a moment.', { retryAfterSeconds: 2 });
    },
  });
}
