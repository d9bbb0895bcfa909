import type { Metadata } from '@grpc/grpc-js';
import { type AccessList, CallNotAllowedError, reflectionMethods } from './access.js';
import { callerIdentity, type PeerCall, webDesk } from './peer.js';
import { callerOfRole, isRole, roles } from './roles.js';

/** The parts of a grpc-js call that the check uses. */
export interface CheckedCall extends PeerCall {
  readonly metadata: Metadata;
}

/**
 * Checks the access of the caller to `path` (`/package.Service/Method`). Throws a CallNotAllowedError
 * if there is none.
 */
export type CheckAccess = (call: CheckedCall, path: string) => void;

/**
 * Checks the name in the certificate, and the roles of the staff member if the call carries `x-roles`. A call of the web
 * desk must carry roles and actor, except for the methods that name it as a caller. Without mutual TLS only roles count.
 */
export function createAccessCheck(access: AccessList, { named }: { readonly named: boolean }): CheckAccess {
  return (call, path) => {
    const method = path.slice(1);
    const caller = callerIdentity(call);
    const sent = call.metadata.get('x-roles');
    const ofPerson = caller === webDesk && !access.get(webDesk)?.has(method);
    if (named && !ofPerson) requireCaller(access, caller, method);
    if (ofPerson && (sent.length === 0 || call.metadata.get('x-actor').length === 0)) {
      throw new CallNotAllowedError(`${webDesk} may not call ${method} without x-roles and x-actor of a person.`);
    }
    if (sent.length > 0) requireRole(access, sent.join(), method);
  };
}

function requireCaller(access: AccessList, caller: string | undefined, method: string): void {
  const allowed = caller === undefined ? undefined : access.get(caller);
  if (allowed?.has(method)) return;
  const own = [...(allowed ?? [])].filter((each) => !reflectionMethods.includes(each));
  const may = own.length === 0 ? 'nothing here' : own.map((each) => each.replace(/^.*\.(?=\w+\/)/, '')).join(', ');
  throw new CallNotAllowedError(`${caller ?? 'A caller without a name'} may not call ${method}; it may call ${may}.`);
}

function requireRole(access: AccessList, sent: string, method: string): void {
  const may = roles.filter((role) => access.get(callerOfRole(role))?.has(method));
  const own = sent.split(',').map((each) => each.trim());
  if (may.some((role) => own.includes(role))) return;
  const who = own.filter(isRole).join(', ') || 'A person without a role';
  const allowed = may.length === 0 ? 'no role may' : `${may.join(', ')} may`;
  throw new CallNotAllowedError(`${who} may not call ${method}; ${allowed}.`);
}
