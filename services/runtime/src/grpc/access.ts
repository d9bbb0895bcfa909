import type { PeerCertificate } from 'node:tls';
import type { Metadata } from '@grpc/grpc-js';
import { ConfigError } from '../config/read-config.js';
import { isRole, type Role, roles } from '../product/index.js';
import { type Definition, protoMethods } from './definition.js';

/** The name in the certificate of the web desk. The actor of its calls is the staff member, not the process. */
export const webDesk = 'web-desk';

/** Names in the certificates of people and of another team's service (`partner`). The desk may call everything. */
const people = ['desk', 'editor', 'moderator', 'support', 'analyst', 'operator', 'partner'] as const;

/** Names in the certificates of our processes. The web desk acts for staff members, whose roles decide. */
const processes = ['gateway', 'identity', 'contributions', webDesk] as const;

/** The name in the certificate of one of our processes or of a person. */
type Caller = (typeof processes)[number] | (typeof people)[number];

/** Maps each caller name to the methods that it may call, as `package.Service/Method`. */
export type AccessList = ReadonlyMap<string, ReadonlySet<string>>;

/** The methods of a proto service. Each method has a list of callers; the desk is always allowed. */
type ProtoService = readonly (readonly [method: string, callers: readonly Caller[]])[];

/**
 * The server knows the caller, but the caller may not call this method. The response has no error details, since the
 * deployment is at fault, not the request.
 */
export class CallNotAllowedError extends Error {
  override readonly name = 'CallNotAllowedError';
}

const machines: readonly Caller[] = [...processes, 'operator'];

/** Lists the callers of every method of a service. Leaving out a method is a compile error. */
export function protoService<D extends Definition>(
  definition: D,
  callers: { [Name in keyof D]: readonly Caller[] },
): ProtoService {
  return Object.entries(definition).map(([name, { path }]) => [path.slice(1), callers[name as keyof D]]);
}

/**
 * The access list of a server. All people may also use reflection; processes do not need it. An administrator may call
 * what any team may, and what no caller is named for, but not what only processes and operators may.
 */
export function accessTable(...services: readonly ProtoService[]): AccessList {
  const access = new Map<string, Set<string>>(people.map((caller) => [caller, new Set(reflectionMethods)]));
  for (const [method, callers] of services.flat()) {
    const ofTeams = callers.length === 0 || callers.some((each) => !machines.includes(each));
    for (const caller of new Set([...callers, 'desk', ...(ofTeams ? ['administrator'] : [])])) {
      const methods = access.get(caller);
      if (methods === undefined) access.set(caller, new Set([method]));
      else methods.add(method);
    }
  }
  return access;
}

/**
 * Reads `GRPC_ACCESS`: `editor=knowledge.content.v1.EditorialService/PutArticle,knowledge.content.v1.ContentService;
 * robot=*; analyst=none`. For each caller in this list it replaces the access list of the code. Other callers keep
 * their access.
 *
 * @throws ConfigError if the syntax is wrong or a method or service is in no proto.
 */
export function readAccess(value: string | undefined, known = protoMethods): AccessList {
  if (value === undefined) return new Map();
  const all = [...known(), ...reflectionMethods];
  const access = new Map<string, ReadonlySet<string>>();
  const faults: string[] = [];
  for (const entry of value.split(';').map((each) => each.trim())) {
    if (entry === '') continue;
    const match = /^([^\s=,;]+)\s*=\s*([\w.*/]+(?:\s*,\s*[\w.*/]+)*)$/.exec(entry);
    if (match?.[1] === undefined || match[2] === undefined) {
      const expected = 'expected caller=package.Service/Method,package.Service, caller=* or caller=none';
      faults.push(`GRPC_ACCESS has ${JSON.stringify(entry)}; ${expected}`);
      continue;
    }
    const [, caller, names] = match;
    if (access.has(caller)) faults.push(`GRPC_ACCESS names ${caller} twice; expected each caller once`);
    const methods = names.split(/\s*,\s*/).flatMap((name) => {
      const meant = all.filter((method) => name === '*' || method === name || method.startsWith(`${name}/`));
      if (meant.length === 0 && name !== 'none') faults.push(`GRPC_ACCESS has ${name}; expected a service or a method`);
      return meant;
    });
    access.set(caller, new Set(methods));
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return access;
}

/** The methods of server reflection, as `package.Service/Method`. */
export const reflectionMethods: readonly string[] = ['v1', 'v1alpha'].map(
  (version) => `grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
);

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

function requireCaller(access: AccessList, caller: string | undefined, method: string) {
  const allowed = caller === undefined ? undefined : access.get(caller);
  if (allowed?.has(method)) return;
  const own = [...(allowed ?? [])].filter((each) => !reflectionMethods.includes(each));
  const may = own.length === 0 ? 'nothing here' : own.map((each) => each.replace(/^.*\.(?=\w+\/)/, '')).join(', ');
  throw new CallNotAllowedError(`${caller ?? 'A caller without a name'} may not call ${method}; it may call ${may}.`);
}

function requireRole(access: AccessList, sent: string, method: string) {
  const may = roles.filter((role) => access.get(callerOfRole(role))?.has(method));
  const own = sent.split(',').map((each) => each.trim());
  if (may.some((role) => own.includes(role))) return;
  const who = own.filter(isRole).join(', ') || 'A person without a role';
  const allowed = may.length === 0 ? 'no role may' : `${may.join(', ')} may`;
  throw new CallNotAllowedError(`${who} may not call ${method}; ${allowed}.`);
}

/** The part of a grpc-js call that contains the peer's certificate. */
export interface PeerCall {
  getAuthContext(): { sslPeerCertificate?: PeerCertificate };
}

/**
 * The caller's name: the first DNS name in its certificate, otherwise the first URI. A common name is ignored, since
 * authorities check alternative names more carefully (RFC 6125, section 6.4.4).
 */
export function callerIdentity(call: PeerCall): string | undefined {
  const { subjectaltname = '' } = call.getAuthContext().sslPeerCertificate ?? {};
  // Node quotes a name that contains a separator. Such a name is not trusted, so it is removed.
  const names = subjectaltname.replace(/"(?:[^"\\]|\\.)*"/g, '');
  return /(?:^|, )DNS:([^,]+)/.exec(names)?.[1] ?? /(?:^|, )URI:([^,]+)/.exec(names)?.[1];
}

/** The caller whose entries in the access lists a role has. */
function callerOfRole(role: Role): string {
  return role === 'reader' ? 'analyst' : role;
}
