import type { Logger } from '@knowledge/runtime';

/** What the log keeps of a request: the route, never the URL, for a query may hold a code. */
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
