import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { registerBodyParsing } from './body-parsing.js';
import { trustedProxies } from './client-address.js';
import { createConnections } from './connections/connections.js';
import type { Gateway } from './context.js';
import { registerDocs } from './docs/routes.js';
import { createDocuments } from './documents/documents.js';
import { answerFailure, type FailurePage, registerErrorHandler, toKnowledgeError } from './error-handler.js';
import { registerPrincipal } from './identity/require-token.js';
import { registerMcp } from './mcp/route.js';
import { registerAssets } from './pages/assets.js';
import { errorPage } from './pages/error-page.js';
import { registerPages } from './pages/routes.js';
import { registerHealth } from './plugins/health.js';
import { registerLoadShedding } from './plugins/load-shedding.js';
import { registerNotFound } from './plugins/not-found.js';
import { everyAnswer, registerRequestChecks } from './plugins/request-checks.js';
import { limits } from './protocol/limits.js';
import { requestIdOf } from './request-id.js';
import { registerAccessRoutes } from './routes/access.js';
import { registerAuthorizeRoutes } from './routes/api/v1/authorize.js';
import { registerContentRoutes } from './routes/api/v1/content.js';
import { registerContributionRoutes } from './routes/api/v1/contributions.js';
import { registerDocumentRoutes } from './routes/api/v1/documents.js';
import { registerObjectRoutes } from './routes/api/v1/objects.js';
import { registerPromptRoutes } from './routes/api/v1/prompts.js';
import { registerQuotaRoutes } from './routes/api/v1/quota.js';
import { registerTokenRoutes } from './routes/api/v1/token.js';
import { registerOperations } from './routes/operation-route.js';
import { registerOrientation } from './routes/orientation.js';
import { createServer } from './server.js';
import { registerValidation } from './validation/validation.js';

/** The whole gateway, in the order in which a request meets it. */
export async function createApp(gateway: Gateway, isDraining: () => boolean): Promise<FastifyInstance> {
  const failurePage: FailurePage = (error, request) =>
    errorPage(error, request.id, gateway.sites.ofUnchecked(request.raw.url ?? '', request.headers.host), gateway.sites);
  const { config, log, watch } = gateway;
  const trustProxy = trustedProxies(config.TRUSTED_PROXIES);
  const connections = createConnections({
    max: config.MAX_CONNECTIONS,
    perNetwork: config.CONNECTIONS_PER_ADDRESS,
    isProxy: trustProxy || (() => false),
    log,
    onRefused: watch.shed,
  });
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    // One logger for all: lines carry the request id themselves, which costs less than a child a request.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (raw) => requestIdOf(raw as never),
    requestIdHeader: false,
    trustProxy,
    bodyLimit: limits.requestBytes,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: limits.targetBytes, ignoreTrailingSlash: true },
    serverFactory: (handler) => createServer(handler, { front: gateway.front, connections, isDraining }),
    clientErrorHandler: connections.refuse,
    frameworkErrors: (error, request, reply) => {
      reply.headers(everyAnswer(request.id, config));
      answerFailure(toKnowledgeError(error, request), request, reply as never, failurePage);
    },
  });

  app.addHook('preClose', async () => connections.end());
  registerErrorHandler(app, failurePage);
  registerValidation(app);
  registerRequestChecks(app, gateway);
  registerNotFound(app);
  registerOperations(app);
  registerPrincipal(app);
  registerBodyParsing(app);
  await registerLoadShedding(app, watch);

  registerHealth(app, gateway, isDraining);
  registerContentRoutes(app, gateway);
  registerObjectRoutes(app, gateway);
  registerPromptRoutes(app, gateway);
  registerQuotaRoutes(app, gateway);
  await registerAuthorizeRoutes(app, gateway);
  registerTokenRoutes(app, gateway);
  registerContributionRoutes(app, gateway);
  await registerAccessRoutes(app, gateway);
  const documents = createDocuments({
    registered: app.operations,
    sites: gateway.sites,
    pagesPerAddress: config.PAGES_PER_ADDRESS,
  });
  registerDocumentRoutes(app, { ...gateway, documents });
  registerOrientation(app, { ...gateway, documents });
  registerDocs(app, { ...gateway, documents });
  registerMcp(app, { ...gateway, documents });
  registerAssets(app);
  await registerPages(app, gateway);
  return app;
}
