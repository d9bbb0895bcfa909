import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  preValidationAsyncHookHandler,
  RouteGenericInterface,
} from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { type Operation, routePath } from '../protocol/operation.js';

/** The types of a request, by the operation's schemas. */
interface OperationRequest<O extends Operation> extends RouteGenericInterface {
  Params: O['params'] extends TObject ? Static<O['params']> : unknown;
  Querystring: O['query'] extends TObject ? Static<O['query']> : Record<string, unknown>;
  Body: O['body'] extends TSchema ? Static<O['body']> : unknown;
}

/** Handles a request for an operation. */
export type OperationHandler<O extends Operation> = (
  request: FastifyRequest<OperationRequest<O>>,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply>;

/** Registers the route of an operation, with its validation. A GET serves HEAD too, with the same handler. */
export function registerOperation<O extends Operation>(
  app: FastifyInstance,
  operation: O,
  handler: OperationHandler<O>,
  hooks: OperationHooks = {},
): void {
  const { method, query, body } = operation;
  app.route<OperationRequest<O>>({
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    url: routePath(operation),
    schema: { ...(query && { querystring: query }), ...(body && { body }) },
    config: { queryParameters: Object.keys(query?.properties ?? {}) },
    handler,
    ...hooks,
  });
}

/** Throws if an operation has no route: the documents would promise what nothing serves. */
export function requireRoutes(app: FastifyInstance, operations: readonly Operation[]): void {
  const missing = operations.filter(
    (operation) => !app.hasRoute({ method: operation.method, url: routePath(operation) }),
  );
  if (missing.length > 0) throw new Error(`No route serves ${missing.map(({ id }) => id).join(', ')}.`);
}

/** Hooks that run before the handler of an operation. */
export interface OperationHooks {
  onRequest?: onRequestAsyncHookHandler;
  preValidation?: preValidationAsyncHookHandler;
}
