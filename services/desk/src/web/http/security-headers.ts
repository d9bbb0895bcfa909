import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { type DeskConfig, isSecure } from '../settings/config.js';

const own = ["'self'"];

/** Sets the security headers of every response (SECURITY.md#web-desk). No page is stored, framed, or given other code than ours. */
export async function registerSecurityHeaders(app: FastifyInstance, config: DeskConfig): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: own,
        styleSrc: own,
        imgSrc: own,
        connectSrc: own,
        formAction: own,
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: isSecure(config) && { maxAge: 180 * 86_400, includeSubDomains: false },
    // Browsers send `Origin: null` with a form under a stricter policy.
    referrerPolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'cache-control': 'no-store',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
      'x-request-id': request.id,
    });
  });
}
