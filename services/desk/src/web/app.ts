import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import { KnowledgeError } from '@knowledge/runtime';
import {
  clientAddressOf,
  createConnections,
  createServer,
  networkOf,
  requestIdOf,
  trustedProxies,
} from '@knowledge/runtime/http';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { registerAdmin } from './admin.js';
import { registerArticles } from './articles/articles.js';
import { articlesStyle } from './articles/style.js';
import { differenceStyle } from './difference/style.js';
import { registerMailDomains } from './domains.js';
import { formsStyle } from './forms/style.js';
import { registerHighlights } from './highlights/routes.js';
import { highlightsStyle } from './highlights/style.js';
import { registerCsrf } from './http/csrf.js';
import { registerHealth } from './http/health.js';
import { formLimits, registerFormBody, registerRequestChecks, registerSecurityHeaders } from './http/request-checks.js';
import { requireSession } from './http/session.js';
import { registerAssets } from './layout/assets.js';
import { registerErrorPages } from './layout/error-pages.js';
import { layoutStyle } from './layout/style.js';
import { registerLimits } from './limits.js';
import { registerObjects } from './objects/objects.js';
import { registerPeople } from './people/routes.js';
import { registerPrompts } from './prompts/routes.js';
import { registerQueue } from './queue/routes.js';
import { queueStyle } from './queue/style.js';
import { registerReasons } from './reasons.js';
import { registerRecord } from './record/routes.js';
import { registerSignIn } from './signin/routes.js';
import { registerStart } from './start.js';
import { registerTransfer } from './transfer/routes.js';
import type { WebDesk } from './web-desk.js';
import { registerWords } from './words/synonyms.js';

/** The stylesheet of all pages, in this order. */
const styles = [layoutStyle, formsStyle, differenceStyle, articlesStyle, highlightsStyle, queueStyle];

/** Makes the web desk. It registers hooks and routes in the order in which they handle a request. */
export async function createApp(desk: WebDesk, isDraining: () => boolean): Promise<FastifyInstance> {
  const { config, log, watch } = desk;
  const trustProxy = trustedProxies(config.TRUSTED_PROXIES);
  const connections = createConnections({
    max: config.MAX_CONNECTIONS,
    perNetwork: config.CONNECTIONS_PER_ADDRESS,
    isProxy: trustProxy,
    log,
    onRefused: watch.shed,
  });
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (raw) => requestIdOf(raw as never),
    // The addresses that signing in is bounded for.
    trustProxy,
    // Of a form without a session; those behind the sign-in may have more.
    bodyLimit: 16 * 1024,
    return503OnClosing: false,
    // Fastify answers a path that cannot be decoded with its own JSON.
    rewriteUrl: ({ url = '/' }) => (isDecodable(url) ? url : '/not-found'),
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    // A proxy keeps its connections for a minute. Browsers that come directly open a new one quickly.
    serverFactory: (handler) =>
      createServer(handler, {
        connections,
        isDraining,
        isProxy: trustProxy,
        ...(!trustProxy && { keepAliveMs: 10_000 }),
      }),
    clientErrorHandler: connections.refuse,
  });
  app.addHook('preClose', async () => connections.end());

  // The page of every failure needs the cookies, so they are read first.
  await app.register(cookie);
  await registerSecurityHeaders(app, desk.config);
  registerRequestChecks(app, desk);
  registerErrorPages(app, desk);
  await app.register(underPressure, {
    maxEventLoopDelay: 500,
    pressureHandler: () => {
      throw new KnowledgeError('unavailable', 'The web desk is busy.');
    },
  });
  registerFormBody(app);
  await app.register(rateLimit, {
    global: false,
    max: 120,
    timeWindow: 60_000,
    keyGenerator: (request) => networkOf(clientAddressOf(request)),
  });
  await registerCsrf(app, desk.cookies);
  registerHealth(app, desk, isDraining);
  registerAssets(app, styles);
  await app.register((open, _options, done) => {
    registerSignIn(open, desk);
    done();
  });
  await app.register((signedIn, _options, done) => {
    signedIn.addHook('onRoute', (route) => {
      route.bodyLimit = formLimits.bytes;
    });
    requireSession(signedIn, desk);
    registerStart(signedIn, desk);
    registerQueue(signedIn, desk);
    registerArticles(signedIn, desk);
    registerHighlights(signedIn, desk);
    registerObjects(signedIn, desk);
    registerTransfer(signedIn, desk);
    registerWords(signedIn, desk);
    registerPrompts(signedIn, desk);
    registerRecord(signedIn, desk);
    registerPeople(signedIn, desk);
    registerAdmin(signedIn, desk);
    registerMailDomains(signedIn, desk);
    registerReasons(signedIn, desk);
    registerLimits(signedIn, desk);
    done();
  });
  return app;
}

function isDecodable(url: string): boolean {
  try {
    decodeURI(url.replace(/[?#].*$/s, ''));
    return true;
  } catch {
    return false;
  }
}
