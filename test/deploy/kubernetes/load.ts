import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';

/** A failed request. */
export interface Failure {
  readonly what: string;
  /** The HTTP status, or the error code of a failed connection. */
  readonly result: number | string;
  /** The error code in the envelope of the response. */
  readonly message: string;
  /** The seconds between the start of the load and the failure. */
  readonly at: number;
}

/** An acknowledged contribution, with a token that can read it. */
export interface Acknowledged {
  readonly id: string;
  readonly token: string;
}

/** The result of a load. */
export interface LoadReport {
  readonly requests: number;
  readonly seconds: number;
  readonly failures: readonly Failure[];
  readonly acknowledged: readonly Acknowledged[];
  /** The median response time in milliseconds. `p99` is the 99th percentile. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** A load that runs until it is stopped. */
export interface Load {
  /** Stops new requests and waits for those in flight. */
  stop(): Promise<LoadReport>;
}

export interface LoadOptions {
  readonly base: string;
  readonly slugs: readonly string[];
  /** Tokens that the load uses one after the other. Each allows twenty contributions a day. */
  readonly tokens: string[];
  /** The number of requests per second. It does not wait for responses. */
  readonly rate: number;
  /** Opens a new connection for each request. Otherwise all requests share sixteen connections. */
  readonly fresh?: boolean;
}

/** Sends requests: half article reads, a tenth contributions, the rest listings. It repeats no request. */
export function startLoad({ base, slugs, tokens, rate, fresh = false }: LoadOptions): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const failures: Failure[] = [];
  const acknowledged: Acknowledged[] = [];
  const times: number[] = [];
  const running = new Set<Promise<void>>();
  const began = performance.now();
  let token = tokens.shift();
  let left = 20;
  let sent = 0;

  const send = async (at: number): Promise<void> => {
    const call = callFor(at);
    const begun = performance.now();
    try {
      const keep = fresh || at % 10 === 3 ? false : agent;
      const { status, body } = await sendRequest(`${base}${call.path}`, call.headers, call.body, keep);
      if (status !== call.expected) fail(call.path, status, begun, body);
      else if (call.token !== undefined) acknowledged.push({ id: JSON.parse(body).contribution.id, token: call.token });
    } catch (error) {
      fail(call.path, (error as NodeJS.ErrnoException).code ?? String(error), begun);
    }
    times.push(performance.now() - begun);
  };
  const fail = (path: string, result: number | string, begun: number, body = ''): void => {
    failures.push({
      what: path.split('?')[0] ?? path,
      result,
      message: body.slice(0, 200),
      at: Math.round((begun - began) / 100) / 10,
    });
  };

  const callFor = (at: number): Call => {
    if (at % 10 === 0) {
      if (left === 0) [token, left] = [tokens.shift(), 20];
      left -= 1;
      if (token === undefined) throw new Error('The load has no tokens left.');
      const body = JSON.stringify({
        type: 'story',
        title: 'What the roll-out taught us',
        body: `It held. ${randomUUID()}`,
      });
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return { path: '/api/v1/contributions', headers, body, expected: 201, token };
    }
    const reader = { 'x-agent-client-id': `trial-${randomUUID()}` };
    const listing = listings[at % 10];
    const path = listing ?? `/api/v1/content/${slugs[at % slugs.length]}?site=org`;
    return { path, headers: reader, body: undefined, expected: 200, token: undefined };
  };

  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - began) * rate) / 1000);
    while (sent < due) {
      const one = send(sent).finally(() => running.delete(one));
      running.add(one);
      sent += 1;
    }
  }, 5);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      agent.destroy();
      const sorted = times.sort((one, other) => one - other);
      const quantile = (part: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
      const seconds = Math.round((performance.now() - began) / 1000);
      const [p50, p99, max] = [quantile(0.5), quantile(0.99), quantile(1)] as const;
      return { requests: sent, seconds, failures, acknowledged, p50, p99, max };
    },
  };
}

interface Call {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  readonly expected: number;
  readonly token: string | undefined;
}

const listings: Readonly<Record<number, string>> = {
  1: '/api/v1/content?site=org&limit=20',
  2: '/api/v1/curated?site=org',
  3: '/api/v1/objects/catalog?site=org',
  4: '/api/v1/agent/quota',
};

/** Sends one request with `node:http`, because it never retries. */
export function sendRequest(
  url: string,
  headers: Record<string, string>,
  body: string | undefined,
  agent: Agent | false,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const options = { method: body === undefined ? 'GET' : 'POST', headers, agent, timeout: 10_000 };
    const sent = request(url, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text }));
      answer.on('error', reject);
    });
    sent.on('timeout', () => sent.destroy(Object.assign(new Error('no answer'), { code: 'TIMEOUT' })));
    sent.on('error', reject);
    sent.end(body);
  });
}
