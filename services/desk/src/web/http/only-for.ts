import type { Role } from '@knowledge/runtime/grpc';
import type { FastifyRequest } from 'fastify';
import { hasRole } from '../staff/has-role.js';
import { RefusedRequest } from './request-checks.js';

/** The options of a page with a form that only these roles may send. Others learn it before they fill it in, and before a body is read. */
export function onlyFor(...roles: readonly Role[]) {
  return {
    onRequest: async ({ desk: { staff } }: FastifyRequest): Promise<void> => {
      if (staff === undefined || hasRole(staff, ...roles)) return;
      throw new RefusedRequest(403, notAllowed([...roles, 'administrator'].join(', ')));
    },
  };
}

/** Says who may do what was refused. */
export function notAllowed(roles: string): string {
  return `Your role may not do this. These roles may: ${roles}.`;
}
