import type { FastifyRequest } from 'fastify';
import { type PersonServices, personServices } from '../../person/person.js';
import { isUnsafe } from '../http/request-checks.js';
import { callOf, formCallOf } from '../http/session.js';
import type { WebDesk } from '../web-desk.js';

/** The services, called for the staff member of a request. */
export type ServicesOf = (request: FastifyRequest) => PersonServices;

export function servicesOfDesk({ connect }: Pick<WebDesk, 'connect'>): ServicesOf {
  return (request) =>
    personServices({ connect, callContext: () => (isUnsafe(request) ? formCallOf(request) : callOf(request)) });
}
