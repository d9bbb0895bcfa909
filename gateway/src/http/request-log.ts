import type { Logger } from '@knowledge/runtime';

/** The facts about a request that are logged. The URL is not, because its query may contain a secret code. */
export interface RequestFacts {
  id: string;
  trace: string;
  method: string;
  route: string;
  status: number;
  ms: number;
}

export function logRequest(log: Logger, { id, trace, method, route, status, ms }: RequestFacts): void {
  log.info({ request_id: id, trace_id: trace, method, route, status, ms: Math.round(ms * 10) / 10 }, 'request');
}
