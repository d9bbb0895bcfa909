import underPressure from '@fastify/under-pressure';
import { httpServerOf, loadShedding, registerProbes } from '@knowledge/runtime/http';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { registerSearchCounts } from './api/count-searches.js';
import type { Gateway } from './api/gateway.js';
import { requireRoutes } from './api/operation-route.js';
import { registerAuthorizeRoutes, registerTokenRoutes } from './api/routes/authorize.js';
import { registerContributionRoutes } from './api/routes/contributions.js';
import {
  registerContentRoutes,
  registerObjectRoutes,
  registerPromptRoutes,
  registerQuotaRoutes,
  registerSearchRoutes,
} from './api/routes/reads.js';
import { registerPrincipal } from './api/subject.js';
import { registerValidation } from './api/validation/validation.js';
import { createDocuments, registerDocumentRoutes } from './documents/documents.js';
import { registerBodyParsing } from './http/body-parsing.js';
import {
  type FailurePage,
  registerErrorHandler,
  registerNotFound,
  sendFailure,
  toKnowledgeError,
} from './http/error-handler.js';
import {
  addOriginHeaders,
  commonHeaders,
  isPreflight,
  registerRequestChecks,
  sendOptions,
} from './http/request-checks.js';
import { registerMcp } from './mcp/route.js';
import { registerAccessRoutes } from './pages/consent/access.js';
import { registerConfirmRoutes } from './pages/consent/confirm.js';
import { registerDocs } from './pages/docs/docs-page.js';
import { errorPage } from './pages/error-page.js';
import { registerOrientation } from './pages/orientation/orientation.js';
import { registerAssets } from './pages/parts/assets.js';
import { registerPages } from './pages/published/routes.js';
import { limits } from './protocol/limits.js';
import { allOperations } from './protocol/operations.js';

/** Makes the gateway. It registers hooks and routes in the order in which they handle a request. */
export async function createApp(gateway: Gateway, isDraining: () => boolean): Promise<FastifyInstance> {
  const failurePage: FailurePage = (error, request) =>
    errorPage(error, request.id, gateway.sites.ofUnchecked(request.raw.url ?? '', request.headers.host), gateway.sites);
  const { config, log, watch } = gateway;
  const server = httpServerOf({ config, log, watch, isDraining, fastPath: gateway.fastPath });
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    // A child logger for each request would cost more, so all requests share one logger and log their own id.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    ...server.options,
    requestIdHeader: false,
    bodyLimit: limits.requestBytes,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: limits.targetBytes, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders(request.id, config));
      addOriginHeaders(request, reply as never);
      if (isPreflight(request)) sendOptions(request, reply as never);
      else sendFailure(toKnowledgeError(error, request), request, reply as never, failurePage);
    },
  });

  app.decorate('forms', gateway.forms);
  app.addHook('preClose', server.endConnections);
  registerErrorHandler(app, failurePage);
  registerValidation(app);
  registerRequestChecks(app, gateway);
  registerNotFound(app);
  registerPrincipal(app);
  registerSearchCounts(app, gateway);
  registerBodyParsing(app);
  await app.register(underPressure, loadShedding('The service', watch));

  registerProbes(app, {
    name: 'The gateway',
    services: gateway.clients.health,
    facts: () => ({ following_changes: gateway.content.state().following }),
    isDraining,
  });
  registerContentRoutes(app, gateway);
  registerObjectRoutes(app, gateway);
  registerSearchRoutes(app, gateway);
  registerPromptRoutes(app, gateway);
  registerQuotaRoutes(app, gateway);
  registerAuthorizeRoutes(app, gateway);
  await registerConfirmRoutes(app, gateway);
  registerTokenRoutes(app, gateway);
  await registerContributionRoutes(app, gateway);
  await registerAccessRoutes(app, gateway);
  const documents = createDocuments({ sites: gateway.sites, pagesPerAddress: config.PAGES_PER_ADDRESS });
  const withDocuments = { ...gateway, documents };
  registerDocumentRoutes(app, withDocuments);
  registerOrientation(app, withDocuments);
  registerDocs(app, withDocuments);
  registerMcp(app, withDocuments);
  registerAssets(app);
  await registerPages(app, withDocuments);
  requireRoutes(app, allOperations);
  return app;
}
