import type { Html } from '@knowledge/runtime/html';
import type { FastifyReply } from 'fastify';
import { pageHeaders } from '../../http/error-handler.js';
import type { Sites } from '../../upstream/sites.js';
import { page } from '../parts/layout.js';

/** The content of a private page, which a secret link opens. */
export interface ConsentPage {
  readonly title: string;
  /** The title of the browser window, if it differs from the heading. */
  readonly headTitle?: string | undefined;
  /** The content after the heading. */
  readonly body: Html;
}

/** Sends a private page. It is not cached or framed, and its links do not pass on its URL (SECURITY.md#confirmation). */
export function sendConsentPage(reply: FastifyReply, status: number, shown: ConsentPage, sites: Sites): FastifyReply {
  const { title, headTitle, body } = shown;
  const main = (
    <article class="consent">
      <h1>{title}</h1>
      {body}
    </article>
  );
  const site = sites.ofUnchecked(reply.request.raw.url ?? '', reply.request.headers.host);
  return reply
    .code(status)
    .headers({
      ...pageHeaders,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-frame-options': 'DENY',
    })
    .send(page(sites, { site, title: headTitle ?? title, noindex: true, isPrivate: true, main }));
}
