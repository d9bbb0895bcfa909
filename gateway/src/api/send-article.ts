import type { FastifyReply, FastifyRequest } from 'fastify';
import { cacheControl } from '../http/send-read.js';
import { askerOf } from '../upstream/caller.js';
import type { Form } from './content.js';
import { countedRead } from './counted-read.js';
import type { Gateway } from './gateway.js';
import { sendText } from './send-text.js';

/** Sends an article that counts as a read of its reader, in whichever form and at whichever URL it was asked for. */
export async function sendArticle(
  request: FastifyRequest,
  reply: FastifyReply,
  { slug, form }: { slug: string; form: Form },
  gateway: Pick<Gateway, 'content' | 'identity' | 'quota' | 'sites'>,
): Promise<FastifyReply> {
  const site = gateway.sites.of(request.query as { site?: unknown }, request.headers.host);
  const read = () => gateway.content.article(site, slug, form, askerOf(request));
  const article = await countedRead(request, reply, gateway, read);
  return sendText(request, reply, article, form, cacheControl.article);
}
