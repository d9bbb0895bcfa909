import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import { type PersonServices, personServices } from '../../person/person-services.js';
import { formField } from '../parts/form-values.js';
import { isUnsafe } from '../requests.js';
import { callOf, formCallOf } from '../session.js';
import type { WebDesk } from '../web-desk.js';
import type { Notice } from './sections.js';

export type Sealed = { Params: { sealed: string } };
export type OfThing = { Params: { sealed: string; id: string } };

/** Whom a page shows, and why the staff member looks. */
interface Looked {
  readonly email: string;
  readonly reason: string;
}

export type SealedPaths = ReturnType<typeof sealedPaths>;

/** Makes and reads the paths of people. A path holds the address sealed for the session, and the reason of the look. */
export function sealedPaths(desk: Pick<WebDesk, 'cookies'>) {
  const secretOf = (request: FastifyRequest) => desk.cookies.read(request, 'session') ?? '';

  /** What a path holds. A path of an earlier session holds nothing. */
  const opened = (request: FastifyRequest<Sealed>): string => {
    const text = unseal(secretOf(request), request.params.sealed);
    if (text === undefined) throw new KnowledgeError('not_found', 'This page was of another session: find it again.');
    return text;
  };

  return {
    opened,
    seal: (request: FastifyRequest, text: string) => seal(secretOf(request), text),
    toPerson: (request: FastifyRequest, { email, reason }: Looked) =>
      `/people/of/${seal(secretOf(request), `${email} ${reason}`)}`,
    /** Whom the path of a page names. Call it before a change; `after` leads back to the page. */
    personOf(request: FastifyRequest<Sealed>) {
      const [email = '', ...words] = opened(request).split(' ');
      const path = `/people/of/${request.params.sealed}`;
      return { email, reason: words.join(' '), path, after: (done: Notice) => `${path}?done=${done}` };
    },
  };
}

/**
 * Makes a path of a text that must not stand in a URL, such as an address. Only the session that made it can read it, so
 * histories, proxies and other people learn nothing from it.
 */
export function seal(secret: string, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce);
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return sealed.toString('base64url');
}

/** The sealed text; undefined if this session did not seal it. */
export function unseal(secret: string, path: string): string | undefined {
  const sealed = Buffer.from(path, 'base64url');
  if (sealed.length < nonceBytes + tagBytes) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), sealed.subarray(0, nonceBytes));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    return decipher.update(sealed.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}

const nonceBytes = 12;
const tagBytes = 16;

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'knowledge people', 32));
}

/** The services, called for the staff member of a request. */
export type ServicesOf = (request: FastifyRequest) => PersonServices;

export function servicesOfDesk({ connect }: Pick<WebDesk, 'connect'>): ServicesOf {
  return (request) =>
    personServices({ connect, callContext: () => (isUnsafe(request) ? formCallOf(request) : callOf(request)) });
}

/** The reason of a change; empty if none was given. */
export function reasonOf({ body }: FastifyRequest): string {
  return formField(body, 'reason', 2000);
}

/** @throws KnowledgeError `validation_error` for a reason without words, which passes the check of a browser. */
export function requiredReasonOf(request: FastifyRequest): string {
  const reason = reasonOf(request);
  if (reason.trim() === '') throw new KnowledgeError('validation_error', 'Reason is required: say why.');
  return reason;
}

/** @throws KnowledgeError `validation_error` unless the field has whole days. */
export function daysOf({ body }: FastifyRequest): number {
  const days = formField(body, 'days', 10).trim();
  if (/^\d{1,4}$/.test(days)) return Number(days);
  throw new KnowledgeError('validation_error', 'Days must be a whole number; 0 means for ever.');
}
