import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callOf, formCallOf, isUnsafe, partOf, takeForm, type WebDesk } from '../pages/index.js';
import { type PersonServices, personServices } from './person.js';
import type { Notice } from './web-sections.js';

/** Changes something about a person, and returns the notice about it. */
type Change = (person: Person, services: PersonServices, request: FastifyRequest, reason: string) => Promise<Notice>;
type Person = ReturnType<People['personOf']>;

/** What all pages about people need: the services that know them, and the paths that name them. */
export type People = ReturnType<typeof peopleOf>;

/** The path of a person holds the address sealed for the session, and the reason of the look. */
export function peopleOf({ connect, cookies }: WebDesk) {
  const secretOf = (request: FastifyRequest) => cookies.read(request, 'session') ?? '';

  /** What a path holds. A path of an earlier session holds nothing. */
  const opened = (request: FastifyRequest) => {
    const text = unseal(secretOf(request), partOf(request, 'sealed'));
    if (text === undefined) throw new KnowledgeError('not_found', 'This page was of another session: find it again.');
    return text;
  };

  /** Whom the path of a page names, and why somebody looks. */
  const personOf = (request: FastifyRequest) => {
    const [email = '', ...words] = opened(request).split(' ');
    return { email, reason: words.join(' '), path: `/people/of/${partOf(request, 'sealed')}` };
  };

  /** The services, called for the staff member of a request. */
  const servicesOf = (request: FastifyRequest) =>
    personServices({ connect, callContext: () => (isUnsafe(request) ? formCallOf(request) : callOf(request)) });

  return {
    opened,
    personOf,
    servicesOf,
    seal: (request: FastifyRequest, text: string) => seal(secretOf(request), text),
    /** Registers a form on the page of a person. It leads back to that page, with a notice. */
    take(app: FastifyInstance, path: string, change: Change) {
      takeForm(app, `/people/of/:sealed/${path}`, async (request, reason) => {
        const person = personOf(request);
        return `${person.path}?done=${await change(person, servicesOf(request), request, reason)}`;
      });
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
