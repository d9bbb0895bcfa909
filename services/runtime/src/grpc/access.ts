import { ConfigError } from '../config/config-error.js';
import { callerIdentity, type PeerCall } from './peer.js';

/** Who may call what: the name in a caller's certificate → the full names of the services that it may call, or `*`. */
export type AccessList = ReadonlyMap<string, ReadonlySet<string>>;

/** The caller is known and may not call this service. Bare on the wire: it is a fault of the deployment. */
export class NotAdmittedError extends Error {
  override readonly name = 'NotAdmittedError';
}

/**
 * Reads `GRPC_ACCESS`: `gateway=knowledge.content.v1.ContentService,knowledge.quota.v1.QuotaService; desk=*`.
 *
 * @throws ConfigError if it reads otherwise.
 */
export function readAccess(value: string | undefined): AccessList | undefined {
  if (value === undefined) return undefined;
  const entries = value.split(';').filter((entry) => entry.trim() !== '');
  const access = new Map<string, ReadonlySet<string>>();
  for (const entry of entries) {
    const match = /^\s*([^\s=,;]+)\s*=\s*([\w.*]+(?:\s*,\s*[\w.*]+)*)\s*$/.exec(entry);
    if (match?.[1] === undefined || match[2] === undefined) {
      throw new ConfigError([
        `GRPC_ACCESS has ${JSON.stringify(entry.trim())}; expected caller=service,service or caller=*`,
      ]);
    }
    access.set(match[1], new Set(match[2].split(/\s*,\s*/)));
  }
  return access;
}

/** The guard of a server: throws a NotAdmittedError for a call that the list does not allow. */
export function admission(access: AccessList): (call: PeerCall, service: string) => void {
  return (call, service) => {
    const caller = callerIdentity(call);
    const allowed = caller === undefined ? undefined : access.get(caller);
    if (allowed?.has('*') || allowed?.has(service)) return;
    throw new NotAdmittedError(`${caller ?? 'A caller without a certificate'} may not call ${service}.`);
  };
}
