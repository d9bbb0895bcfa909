import type { FastifyReply, FastifyRequest } from 'fastify';
import { strongEtag } from '../envelope.js';
import { sendRead } from '../routes/send-read.js';

/** What a browser is told about every page (hardening.md H15): nothing from elsewhere, no script, no frame. */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** Sends a page with its validator; `keep` is its Cache-Control. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, markup: string, keep: string): FastifyReply {
  const body = Buffer.from(markup);
  return sendRead(
    request,
    reply.headers(pageHeaders),
    { body, etag: strongEtag(body) },
    keep,
    'text/html; charset=utf-8',
  );
}
