import type { Logger } from '@knowledge/runtime';

/** What the log says about a request: the route, never the URL, whose query may contain a code. */
export interface RequestFacts {
  id: string;
  trace: string;
  method: string;
  route: string;
  status: number;
  ms: number;
}

/** Logs a request in one line. */
export function logRequest(log: Logger, { id, trace, method, route, status, ms }: RequestFacts): void {
  log.info({ request_id: id, trace_id: trace, method, route, status, ms: Math.round(ms * 10) / 10 }, 'request');
}
