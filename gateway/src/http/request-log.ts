import type { Logger } from '@knowledge/runtime';

/** What is logged of a request: the route, never the URL, since a query may have a code. */
export interface RequestFacts {
  id: string;
  trace: string;
  method: string;
  route: string;
  status: number;
  ms: number;
}

/** Writes the one line of a request. */
export function logRequest(log: Logger, { id, trace, method, route, status, ms }: RequestFacts): void {
  log.info({ request_id: id, trace_id: trace, method, route, status, ms: Math.round(ms * 10) / 10 }, 'request');
}
