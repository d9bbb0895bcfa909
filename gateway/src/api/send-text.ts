import type { FastifyReply, FastifyRequest } from 'fastify';
import { jsonType, sendRead } from '../http/send-read.js';
import type { ContentForm } from './content.js';
import type { ContentResponse } from './content-response.js';

/** Sends an article or object in the requested form, with links to its other forms. */
export function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  response: ContentResponse,
  form: ContentForm,
  cachePolicy: string,
): FastifyReply {
  reply.header('vary', 'Accept');
  if (response.links !== undefined) reply.header('link', response.links);
  return sendRead(request, reply, response, cachePolicy, formTypes[form]);
}

const formTypes: Readonly<Record<ContentForm, string>> = {
  json: jsonType,
  markdown: 'text/markdown; charset=utf-8',
};
