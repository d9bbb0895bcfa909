import { ConfigError } from '../config/config-error.js';
import type { Definition } from './definition.js';
import { callerIdentity, type PeerCall } from './peer.js';
import { protoMethods } from './proto-methods.js';

/** Certificate names of people, and of another team's service (`partner`). The desk may call everything. */
const people = ['desk', 'editor', 'moderator', 'support', 'analyst', 'operator', 'partner'] as const;

/** A name in a certificate, of a process of ours or of people. */
export type Caller = 'gateway' | 'identity' | 'contributions' | (typeof people)[number];

/** Who may call what: maps the name in a caller's certificate to methods, as `package.Service/Method`. */
export type AccessList = ReadonlyMap<string, ReadonlySet<string>>;

/** The methods of a proto service, each with the callers that may use it besides the desk. */
export type ProtoService = readonly (readonly [method: string, callers: readonly Caller[]])[];

/**
 * The caller is known but may not call this method. It is sent without error details, since the deployment is at fault.
 */
export class CallNotAllowedError extends Error {
  override readonly name = 'CallNotAllowedError';
}

/** Lists the callers of every method of a service. A method that is left out does not compile. */
export function protoService<D extends Definition>(
  definition: D,
  callers: { [Name in keyof D]: readonly Caller[] },
): ProtoService {
  return Object.entries(definition).map(([name, { path }]) => [path.slice(1), callers[name as keyof D]]);
}

/** The access list of a server. People may use reflection; processes have no need for it. */
export function accessTable(...services: readonly ProtoService[]): AccessList {
  const access = new Map<string, Set<string>>(people.map((caller) => [caller, new Set(reflectionMethods)]));
  for (const [method, callers] of services.flat()) {
    for (const caller of new Set<Caller>([...callers, 'desk'])) {
      const methods = access.get(caller);
      if (methods === undefined) access.set(caller, new Set([method]));
      else methods.add(method);
    }
  }
  return access;
}

/**
 * Reads `GRPC_ACCESS`: `editor=knowledge.content.v1.EditorialService/PutArticle,knowledge.content.v1.ContentService;
 * robot=*; analyst=none`. Each caller that it names may call what it says, in place of what a table says; the others keep
 * their rights.
 *
 * @throws ConfigError if it reads otherwise, or names what no proto has.
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

/** Throws a CallNotAllowedError unless the caller may use `path` (`/package.Service/Method`). */
export type CheckAccess = (call: PeerCall, path: string) => void;

export function createAccessCheck(access: AccessList): CheckAccess {
  return (call, path) => {
    const caller = callerIdentity(call);
    const method = path.slice(1);
    const allowed = caller === undefined ? undefined : access.get(caller);
    if (allowed?.has(method)) return;
    const own = [...(allowed ?? [])].filter((each) => !reflectionMethods.includes(each));
    const may = own.length === 0 ? 'nothing here' : own.map((each) => each.replace(/^.*\.(?=\w+\/)/, '')).join(', ');
    throw new CallNotAllowedError(`${caller ?? 'A caller without a name'} may not call ${method}; it may call ${may}.`);
  };
}

const reflectionMethods: readonly string[] = ['v1', 'v1alpha'].map(
  (version) => `grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
);
