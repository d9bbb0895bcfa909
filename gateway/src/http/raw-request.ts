import { type Logger, writeInfoLine } from '@knowledge/runtime';
import { pathOf } from '@knowledge/runtime/http';

/** Whether a request target is under /api. Failures there always have the envelope. */
export function isApiTarget(target: string): boolean {
  return /^\/api(?:\/|$)/.test(pathOf(target));
}

/** The facts about a request that are logged. The URL is not, because its query may contain a secret code. */
interface RequestFacts {
  id: string;
  trace: string;
  method: string;
  route: string;
  status: number;
  ms: number;
}

/** Writes the log line of a request. The id, the trace and the method have only characters that JSON can hold as they are. */
export function logRequest(log: Logger, { id, trace, method, route, status, ms }: RequestFacts): void {
  const name = `"request_id":"${id}","trace_id":"${trace}","method":"${method}"`;
  const took = Math.round(ms * 10) / 10;
  writeInfoLine(log, `${name},"route":${quoted(route)},"status":${status},"ms":${took}`, 'request');
}

/** Routes are few, so each is quoted once. */
function quoted(route: string) {
  let json = routes.get(route);
  if (json === undefined) {
    json = JSON.stringify(route);
    routes.set(route, json);
  }
  return json;
}

const routes = new Map<string, string>();
