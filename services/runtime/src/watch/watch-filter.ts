import { hash } from 'node:crypto';
import type { WatchFilter as WireFilter } from '@knowledge/proto/knowledge/common/v1/common';
import { KnowledgeError } from '../errors/knowledge-error.js';

/** Selects the entries of a stream. An undefined field selects all. */
export interface WatchFilter {
  readonly actor?: string | undefined;
  /** The hash of an e-mail from `personHash`. */
  readonly person?: string | undefined;
  readonly subject?: string | undefined;
  readonly id?: string | undefined;
  readonly idPrefix?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** How many of the last entries are sent. */
  readonly last?: number | undefined;
  /** Whether the stream also contains looks at personal data, which changed nothing. */
  readonly audit: boolean;
}

/** The parts of an entry that a filter compares. */
export interface EntryFacts {
  readonly actor: string;
  readonly at: Date;
  readonly subject: string;
  readonly id: string;
  readonly person?: string | undefined;
  /** The state after a change, or what was done, for example `viewed`. */
  readonly to?: string | undefined;
}

/**
 * Reads the filter of a request.
 *
 * @throws KnowledgeError `validation_error` if `until` is before `since`, or if the beginning of an id is too short.
 */
export function readWatchFilter(wire: WireFilter | undefined): WatchFilter {
  if (wire === undefined) return { audit: false };
  const { since, until } = wire;
  if (since !== undefined && until !== undefined && until <= since) {
    throw new KnowledgeError('validation_error', 'filter.until must be later than filter.since.');
  }
  if (wire.idPrefix && wire.idPrefix.length < 4) {
    throw new KnowledgeError('validation_error', 'filter.id_prefix must have at least 4 characters.');
  }
  const last = wire.last || undefined;
  if (last !== undefined && (last < 1 || last > mostLast || until === undefined)) {
    throw new KnowledgeError('validation_error', `filter.last must be 1 to ${mostLast}, together with filter.until.`);
  }
  return {
    actor: wire.actor || undefined,
    person: wire.person === '' ? undefined : personHash(wire.person),
    subject: wire.subject || undefined,
    id: wire.id || undefined,
    idPrefix: wire.idPrefix || undefined,
    since,
    until,
    last,
    audit: wire.audit,
  };
}

const mostLast = 20_000;

/** What was done to personal data that only read it. */
const looks: ReadonlySet<string> = new Set(['viewed', 'listed', 'exported']);

/** Whether an entry matches the filter. */
export function matchesFilter(filter: WatchFilter, facts: EntryFacts): boolean {
  if (!filter.audit && looks.has(facts.to ?? '')) return false;
  if (filter.actor !== undefined && !isActor(facts.actor, filter.actor)) return false;
  if (filter.person !== undefined && facts.person !== filter.person) return false;
  if (filter.subject !== undefined && facts.subject !== filter.subject) return false;
  if (filter.id !== undefined && facts.id !== filter.id) return false;
  if (filter.idPrefix !== undefined && !facts.id.startsWith(filter.idPrefix)) return false;
  if (filter.since !== undefined && facts.at < filter.since) return false;
  return filter.until === undefined || facts.at < filter.until;
}

/** Hashes an e-mail in lower case. The log stores only this hash of an owner. */
export function personHash(email: string): string {
  return hash('sha256', `person:${email.toLowerCase()}`, 'base64url');
}

// Under mutual TLS the stored actor also names the certificate: `ada via desk`.
function isActor(stored: string, wanted: string): boolean {
  return stored === wanted || stored.startsWith(`${wanted} via `);
}
