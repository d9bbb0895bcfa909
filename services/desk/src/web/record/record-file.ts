import { stringify } from 'csv-stringify/sync';
import type { EventView } from '../../watch/sources.js';

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
