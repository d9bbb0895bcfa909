import type { FastifyReply, FastifyRequest } from 'fastify';
import { cacheControl } from '../http/send-read.js';
import { callContextOf } from '../upstream/call-context.js';
import type { ContentForm } from './content.js';
import { countedRead } from './counted-read.js';
import type { Gateway } from './gateway.js';
import { sendText } from './send-text.js';

export async function sendArticle(
  request: FastifyRequest,
  reply: FastifyReply,
  { slug, form }: { slug: string; form: ContentForm },
  gateway: Pick<Gateway, 'content' | 'tokens' | 'quota' | 'sites'>,
): Promise<FastifyReply> {
  const site = gateway.sites.of(request.query as { site?: unknown }, request.headers.host);
  const read = () => gateway.content.article(site, slug, form, callContextOf(request));
  const article = await countedRead(request, reply, gateway, read);
  return sendText(request, reply, article, form, cacheControl.article);
}
