import { hash } from 'node:crypto';
import type { WatchFilter as WireFilter } from '@knowledge/proto/knowledge/common/v1/common';
import { KnowledgeError } from '../errors/knowledge-error.js';

/** Which entries a stream contains; an undefined field does not filter. */
export interface WatchFilter {
  readonly actor?: string | undefined;
  /** As `personHash` makes it. */
  readonly person?: string | undefined;
  readonly subject?: string | undefined;
  readonly id?: string | undefined;
  readonly idPrefix?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** Also what changed nothing, such as looks at a person's data. */
  readonly audit: boolean;
}

/** What a filter looks at. */
export interface EntryFacts {
  readonly actor: string;
  readonly at: Date;
  readonly subject: string;
  readonly id: string;
  readonly person?: string | undefined;
  /** The entry records who looked at what; nothing changed. */
  readonly audit?: boolean | undefined;
}

/**
 * The filter of a request.
 *
 * @throws KnowledgeError `validation_error` for a time that ends before it begins, or too short a beginning of an id.
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
  return {
    actor: wire.actor || undefined,
    person: wire.person === '' ? undefined : personHash(wire.person),
    subject: wire.subject || undefined,
    id: wire.id || undefined,
    idPrefix: wire.idPrefix || undefined,
    since,
    until,
    audit: wire.audit,
  };
}

/** Whether a stream with this filter gives an entry. */
export function matchesFilter(filter: WatchFilter, facts: EntryFacts): boolean {
  if (facts.audit === true && !filter.audit) return false;
  if (filter.actor !== undefined && !isActor(facts.actor, filter.actor)) return false;
  if (filter.person !== undefined && facts.person !== filter.person) return false;
  if (filter.subject !== undefined && facts.subject !== filter.subject) return false;
  if (filter.id !== undefined && facts.id !== filter.id) return false;
  if (filter.idPrefix !== undefined && !facts.id.startsWith(filter.idPrefix)) return false;
  if (filter.since !== undefined && facts.at < filter.since) return false;
  return filter.until === undefined || facts.at < filter.until;
}

/** All that a log keeps of whose something is: a hash of the e-mail, case folded. */
export function personHash(email: string): string {
  return hash('sha256', `person:${email.toLowerCase()}`, 'base64url');
}

// Under mutual TLS the stored actor is the claimed name and the certificate's: `ada via desk`.
function isActor(stored: string, wanted: string): boolean {
  return stored === wanted || stored.startsWith(`${wanted} via `);
}
