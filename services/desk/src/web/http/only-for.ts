import { KnowledgeError } from '@knowledge/runtime';
import type { Role } from '@knowledge/runtime/grpc';
import type { FastifyRequest } from 'fastify';
import { hasRole } from '../staff/has-role.js';

/** The options of a page with a form that only these roles may send. Others learn it before they fill it in, and before a body is read. */
export function onlyFor(...roles: readonly Role[]) {
  return {
    onRequest: async ({ desk: { staff } }: FastifyRequest): Promise<void> => {
      if (staff !== undefined && !hasRole(staff, ...roles)) throw new NotAllowed(roles);
    },
  };
}

/** Says who may do what was refused. */
export function notAllowed(roles: string): string {
  return `Your role may not do this. These roles may: ${roles}.`;
}

class NotAllowed extends KnowledgeError {
  readonly statusCode = 403;
  constructor(roles: readonly Role[]) {
    super('bad_request', notAllowed([...roles, 'administrator'].join(', ')));
  }
}
