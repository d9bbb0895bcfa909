import { parse } from 'node:querystring';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance } from 'fastify';

/** The bounds of a form: an article with all characters escaped, and the longest list of highlights with notes. */
export const formLimits = { bytes: 1024 * 1024, fields: 500 };

/** Reads forms, and no other bodies. Fields are counted before anything is made of them. */
export function registerFormBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => {
      if (body.split('&', formLimits.fields + 1).length > formLimits.fields) throw new TooManyFields();
      return parse(body);
    },
  );
}

class TooManyFields extends KnowledgeError {
  readonly statusCode = 413;
  constructor() {
    super('bad_request', `A form may have at most ${formLimits.fields} fields.`);
  }
}
