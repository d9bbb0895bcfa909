import type { IncomingMessage } from 'node:http';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { jsonFault, repeatedKey } from './json-fault.js';
import { shownName } from './shown-name.js';

/** Parses JSON bodies in UTF-8, and refuses every other body (SECURITY.md#http-edge). */
export function registerBodyParsing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: { headers: { 'content-type'?: string | undefined } }, bytes: Buffer) => {
      const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
      if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
        throw new KnowledgeError('unsupported_media_type', 'Send the body as application/json in UTF-8.');
      }
      // Some clients send a Content-Type where they have no body; validation says where one is needed.
      return bytes.length === 0 ? undefined : parse(bytes);
    },
  );
  // A type counts only where there is a byte. The first byte is enough to refuse it, so a large body is not awaited.
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    if (Number(request.headers['content-length'] ?? 0) > 0) throw unknownType();
    // Without the option the connection would be destroyed, and the refusal lost.
    const chunks = payload.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks) if (chunk.length > 0) throw unknownType();
  });
}

function unknownType(): KnowledgeError {
  return new KnowledgeError('unsupported_media_type', 'Send the body as application/json, in UTF-8.');
}

function parse(bytes: Buffer): unknown {
  const text = decode(bytes);
  let parsed: unknown;
  try {
    // A key such as __proto__ is safe: JSON.parse makes it a plain property, and validation refuses it.
    parsed = JSON.parse(text);
  } catch (error) {
    const fault = jsonFault(text);
    const where = fault === undefined ? '' : `: ${fault}`;
    throw new KnowledgeError('invalid_body', `The body is not well-formed JSON${where}.`, { cause: error });
  }
  const twice = repeatedKey(text);
  if (twice === undefined) return parsed;
  const message = `${shownName(twice.key)}: stands twice in one object, again at ${twice.place}; send it once.`;
  throw new KnowledgeError('validation_error', message, { metadata: { part: 'body' } });
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new KnowledgeError('invalid_body', 'The body is not UTF-8; send JSON in UTF-8.', { cause: error });
  }
}

/** Refuses NUL characters and unpaired surrogates, because the database would change or refuse them. */
export function requireCleanText(body: object): void {
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'string' && /[\p{Cs}\0]/u.test(value)) {
      throw new KnowledgeError('validation_error', `${name}: must not contain NUL characters or unpaired surrogates.`);
    }
  }
}
