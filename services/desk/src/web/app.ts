import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import { HealthService } from '@knowledge/proto/grpc/health/v1/health';
import { clientAddressOf, httpServerOf, loadShedding, networkOf, registerProbes } from '@knowledge/runtime/http';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { articlesStyle, registerArticles } from '../articles/web.js';
import { perService } from '../base/services.js';
import { registerMailDomains } from '../domains/web.js';
import { registerHighlights } from '../highlights/web.js';
import { highlightsStyle } from '../highlights/web-page.js';
import { registerLimits } from '../limits/web.js';
import { registerObjects } from '../objects/web.js';
import { formsStyle, layoutStyle, registerAssets } from '../pages/assets.js';
import { registerErrorPages } from '../pages/error-pages.js';
import {
  formLimits,
  registerCsrf,
  registerFormBody,
  registerRequestChecks,
  registerSecurityHeaders,
} from '../pages/requests.js';
import { requireSession } from '../pages/session.js';
import { differenceStyle } from '../pages/side-by-side.js';
import type { WebDesk } from '../pages/web-desk.js';
import { registerPeople } from '../people/web.js';
import { registerPrompts } from '../prompts/web.js';
import { registerGaps } from '../prompts/web-gaps.js';
import { registerReasons } from '../reasons/web.js';
import { registerRecord } from '../record/web.js';
import { registerQueue } from '../review/web.js';
import { queueStyle } from '../review/web-style.js';
import { registerSignIn } from '../sign-in/web.js';
import { registerAdmin } from '../staff/web.js';
import { registerTransfer } from '../transfer/web.js';
import { registerWords } from '../words/web-synonyms.js';
import { registerStart } from './start.js';

/** The stylesheet of all pages, in this order. */
const styles = [layoutStyle, formsStyle, differenceStyle, articlesStyle, highlightsStyle, queueStyle];

/** The pages behind the sign-in. */
const pages = [
  registerStart,
  registerQueue,
  registerArticles,
  registerHighlights,
  registerObjects,
  registerTransfer,
  registerWords,
  registerPrompts,
  registerGaps,
  registerRecord,
  registerPeople,
  registerAdmin,
  registerMailDomains,
  registerReasons,
  registerLimits,
];

/** Makes the web desk. It registers hooks and routes in the order in which they handle a request. */
export async function createApp(desk: WebDesk, isDraining: () => boolean): Promise<FastifyInstance> {
  const { config, log, watch } = desk;
  // A proxy keeps its connections for a minute. Browsers that come directly open a new one quickly.
  // The largest upload takes a minute on a line of 1.2 Mbit/s.
  const times = { directKeepAliveMs: 10_000, requestTimeoutMs: 60_000 };
  const server = httpServerOf({ config, log, watch, isDraining, ...times });
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    ...server.options,
    // Of a form without a session; those behind the sign-in may have more.
    bodyLimit: 16 * 1024,
    // Fastify answers a path that cannot be decoded, or has a part that is too long, with its own JSON.
    rewriteUrl: ({ url = '/' }) => (isPath(url) ? url : '/not-found'),
    routerOptions: { maxParamLength: longestPart, ignoreTrailingSlash: true },
  });
  app.addHook('preClose', server.endConnections);

  // The page of every failure needs the cookies, so they are read first.
  await app.register(cookie);
  await registerSecurityHeaders(app, desk.config);
  registerRequestChecks(app, desk);
  registerErrorPages(app, desk);
  await app.register(underPressure, loadShedding('The web desk', watch));
  registerFormBody(app);
  await app.register(rateLimit, {
    global: false,
    max: 120,
    timeWindow: 60_000,
    keyGenerator: (request) => networkOf(clientAddressOf(request)),
  });
  await registerCsrf(app, desk.cookies);
  registerProbes(app, {
    name: 'The web desk',
    services: perService((name) => desk.connect(name, HealthService)),
    isDraining,
    config: { anyHost: true },
  });
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
    for (const register of pages) register(signedIn, desk);
    done();
  });
  return app;
}

const longestPart = 500;

function isPath(url: string) {
  try {
    const path = url.replace(/[?#].*$/s, '');
    decodeURI(path);
    return path.split('/').every(({ length }) => length <= longestPart);
  } catch {
    return false;
  }
}
