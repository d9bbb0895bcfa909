import type { FastifyReply, FastifyRequest } from 'fastify';
import { jsonType, sendRead } from '../http/send-read.js';
import type { Answer, Form } from './content.js';

/** Sends a single text in the form that was asked for, with the links to its other forms. */
export function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  form: Form,
  keep: string,
): FastifyReply {
  reply.header('vary', 'Accept');
  if (answer.links !== undefined) reply.header('link', answer.links);
  return sendRead(request, reply, answer, keep, formTypes[form]);
}

const formTypes: Readonly<Record<Form, string>> = {
  json: jsonType,
  markdown: 'text/markdown; charset=utf-8',
};
