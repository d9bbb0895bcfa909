import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  preValidationAsyncHookHandler,
  RouteGenericInterface,
} from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { linkHeader, serviceLinks } from '../protocol/links.js';
import { keywordsOf, type Operation, routePath } from '../protocol/operation.js';
import { perSite, type Sites } from '../upstream/sites.js';

/** The types of a request, derived from the schemas of its operation. */
interface OperationRequest<O extends Operation> extends RouteGenericInterface {
  Params: O['params'] extends TObject ? Static<O['params']> : unknown;
  Querystring: O['query'] extends TObject ? Static<O['query']> : Record<string, unknown>;
  Body: O['body'] extends TSchema ? Static<O['body']> : unknown;
}

type OperationHandler<O extends Operation> = (
  request: FastifyRequest<OperationRequest<O>>,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply>;

/** Registers the route and the validation of an operation. The handler of a GET serves HEAD too. */
export function registerOperation<O extends Operation>(
  app: FastifyInstance,
  operation: O,
  handler: OperationHandler<O>,
  hooks: OperationHooks = {},
): void {
  const { method, query, body, headers } = operation;
  app.route<OperationRequest<O>>({
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    url: routePath(operation),
    schema: { ...(query && { querystring: query }), ...(body && { body }) },
    config: {
      takesIfMatch: headers?.properties['if-match'] !== undefined,
      queryParameters: Object.keys(query?.properties ?? {}),
      takesAllSites: keywordsOf(query?.properties['site'] ?? {}).enum?.includes('all') === true,
    },
    handler,
    ...hooks,
  });
}

/** Throws if an operation has no route. The documents list every operation, so callers would get a 404. */
export function requireRoutes(app: FastifyInstance, operations: readonly Operation[]): void {
  const missing = operations.filter(
    (operation) => !app.hasRoute({ method: operation.method, url: routePath(operation) }),
  );
  if (missing.length > 0) throw new Error(`No route serves ${missing.map(({ id }) => id).join(', ')}.`);
}

interface OperationHooks {
  onRequest?: onRequestAsyncHookHandler;
  preValidation?: preValidationAsyncHookHandler;
}

/** Makes an `onRequest` hook that adds links to the API to each response of a route, also to failures. */
export function linkToApi(sites: Sites): onRequestAsyncHookHandler {
  const headers = perSite((site) => linkHeader(serviceLinks({ site, base: sites.base(site) })));
  return async (request, reply) => {
    reply.header('link', headers[sites.ofUnchecked(request.raw.url ?? '', request.headers.host)]);
  };
}
