/** The body of a cached list response of the API. */
export interface ListBody<Entry> {
  readonly entries: readonly Entry[];
  /** Null or absent at the end. */
  readonly next_cursor?: string | null;
  /** Null if the matches were not counted; absent in lists that never count them. */
  readonly total?: number | null;
  /** What to do next if a search finds nothing that fits; null if something fits, absent without a search. */
  readonly hint?: string | null;
}

/** Parses such a body, which costs about a millisecond for 200 entries. */
export function parseList<Entry>(body: Buffer): ListBody<Entry> {
  return JSON.parse(body.toString()) as ListBody<Entry>;
}
