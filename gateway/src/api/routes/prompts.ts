import { KnowledgeError, timestamp } from '@knowledge/runtime';
import type { FastifyInstance } from 'fastify';
import { strongEtag } from '../../http/envelope.js';
import { cacheControl, sendRead } from '../../http/send-read.js';
import { readActivePrompt } from '../../protocol/read-operations.js';
import { callContextOf, callOptions } from '../../upstream/call-context.js';
import { toWireSite } from '../../upstream/sites.js';
import type { Gateway } from '../gateway.js';
import { registerOperation } from '../operation-route.js';

/** Registers the route of the active community prompt (gateway/PROTOCOL.md#reads). */
export function registerPromptRoutes(
  app: FastifyInstance,
  { clients, sites }: Pick<Gateway, 'clients' | 'sites'>,
): void {
  registerOperation(app, readActivePrompt, async (request, reply) => {
    const site = sites.of(request.query, request.headers.host);
    const call = callOptions(callContextOf(request));
    const { prompt } = await clients.contributions.getActivePrompt({ site: toWireSite(site) }, call);
    if (prompt === undefined) throw new KnowledgeError('not_found', 'No community prompt is active on this site.');
    const { id, question, opensAt, closesAt } = prompt;
    const body = Buffer.from(
      JSON.stringify({
        ok: true,
        prompt: {
          id,
          question,
          opens_at: opensAt ? timestamp(opensAt) : null,
          closes_at: closesAt ? timestamp(closesAt) : null,
        },
      }),
    );
    return sendRead(request, reply, { body, etag: strongEtag(body) }, cacheControl.object);
  });
}
