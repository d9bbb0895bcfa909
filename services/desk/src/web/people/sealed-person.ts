import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import type { WebDesk } from '../web-desk.js';
import type { Notice } from './notices.js';
import { seal, unseal } from './seal.js';

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
