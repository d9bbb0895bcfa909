import formbody from '@fastify/formbody';
import { ContributionState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callFor } from '../clients.js';
import type { Gateway } from '../context.js';
import { accessPage } from '../pages/consent/access-page.js';
import { sendConsentPage } from '../pages/consent/consent-layout.js';
import { errorPage } from '../pages/consent/error-page.js';
import { askerOf } from './operation-route.js';

/** The human's own page (protocol.md section 5.5): GET shows, POST revokes one grant, or all without an id. */
export async function registerAccessRoutes(
  app: FastifyInstance,
  gateway: Pick<Gateway, 'clients' | 'sites'>,
): Promise<void> {
  const { clients, sites } = gateway;
  await app.register((scope, _options, done) => {
    void scope.register(formbody, { bodyLimit: 4096 });
    scope.setErrorHandler((error, request, reply) => {
      const { status, page, headers } = errorPage(error, request);
      return sendConsentPage(reply.headers(headers), status, page, sites);
    });

    scope.route({
      method: ['GET', 'HEAD'],
      url: '/access',
      handler: async (request, reply) => {
        const call = callFor(askerOf(request));
        const key = keyOf(request);
        const access = await clients.identity.getAccess({ accessKey: key }, call);
        const query = { email: access.email, state: ContributionState.UNSPECIFIED, pageSize: shown, pageToken: '' };
        const contributions = await clients.contributions.listContributions(query, call).then(
          (page) => page.contributions,
          () => undefined,
        );
        const objectBase = sites.base(sites.of({}, request.headers.host));
        return sendConsentPage(reply, 200, accessPage({ key, ...access, contributions, objectBase }), sites);
      },
    });

    scope.post<{ Body: { id?: unknown } | undefined }>('/access', async (request, reply) => {
      const call = callFor(askerOf(request));
      const key = keyOf(request);
      // An empty id is the button that takes everything back; a missing one is a mistake and takes nothing.
      const { id } = request.body ?? {};
      if (typeof id !== 'string' || id.length > 64)
        throw new KnowledgeError('validation_error', 'id: must be the id of a grant.');
      await clients.identity.revokeAccess({ accessKey: key, id, keepWaiting: false }, call);
      // Back to the page, so that loading it again revokes nothing again.
      return reply.header('cache-control', 'no-store').redirect(`?key=${encodeURIComponent(key)}`, 303);
    });
    done();
  });
}

/** How many contributions the page lists. */
const shown = 100;

function keyOf(request: FastifyRequest): string {
  const { key } = request.query as { key?: unknown };
  if (typeof key !== 'string' || key === '' || key.length > 512) {
    throw new KnowledgeError('not_found', 'This link is not valid, or not any more. Your agent can ask you again.');
  }
  return key;
}
