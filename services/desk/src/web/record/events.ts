import { stringify } from 'csv-stringify/sync';
import type { EventView } from '../../watch/sources.js';
import { hasRole, mayOpen, type StaffMember } from '../page-parts.js';

/** The formats in which the record can be saved. */
export const recordFormats = {
  csv: { type: 'text/csv; charset=utf-8', format: toCsv },
  jsonl: { type: 'application/jsonl; charset=utf-8', format: toJsonLines },
} as const;

const columns = ['occurred_at', 'service', 'subject', 'name', 'site', 'title', 'from_state', 'to_state'] as const;

/** A spreadsheet must not take a text of a stranger for a formula, so such texts begin with an apostrophe. */
function toCsv(events: readonly EventView[]): string {
  const rows = events.map((event) => ({ ...event, name: nameOf(event) }));
  return stringify(rows, {
    header: true,
    columns: [...columns, 'actor', 'reason', 'revision'],
    escape_formulas: true,
    bom: true,
  });
}

function toJsonLines(events: readonly EventView[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** The slug of an article, or the id of another thing. */
export function nameOf(event: EventView): string {
  return 'slug' in event ? event.slug : event.id;
}

/** The path of what an entry is about, if this staff member may open it. */
export function pathOfEvent(event: EventView, staff: Pick<StaffMember, 'roles'>): string | undefined {
  const { subject, site } = event;
  const name = encodeURIComponent(nameOf(event));
  if (name === '' || ['deleted', 'erased'].includes(event.state)) return undefined;
  const pages: Readonly<Record<string, string | false>> = {
    article: `/articles/${site}/${name}`,
    article_draft: `/articles/${site}/${name}/next`,
    highlights: `/articles/highlights/${site}`,
    object: `/articles/objects/${name}`,
    synonyms: `/articles/words?edit=${name}`,
    prompt: `/prompts/${name}`,
    contribution: hasRole(staff, 'moderator') ? `/queue/${name}` : `/people/id/${name}`,
    authorization: `/people/id/${name}`,
    token: `/people/id/${name}`,
    // Others see the limits, and only administrators the page of one.
    ceiling: hasRole(staff) && `/admin/limits/${name}`,
    reason: `/admin/reasons?edit=${name}`,
    session: '/admin',
    mail_domain: `/people/domains?edit=${name}`,
    // The log has only a hash of a person, so its entries lead to each other.
    person: `/record?id=${name}&looks=yes`,
  };
  const path = pages[subject];
  return path && mayOpen(path, staff) ? path : undefined;
}
