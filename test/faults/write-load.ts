import { randomUUID } from 'node:crypto';
import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import { hasCode } from '@knowledge/runtime';
import { contribute, freshEmail, newStory, sendJson } from '../harness/agent.js';
import type { HttpResponse } from '../harness/http.js';
import { asTester, type System } from '../harness/system.js';
import { until } from '../harness/until.js';

/** Everything that the system acknowledged during the load. */
export interface Promised {
  /** All requests for access with the response 202. */
  readonly requests: { email: string; userCode: string; deviceCode: string }[];
  /** All contributions with the response 201: the returned ids by e-mail and by key. */
  readonly contributions: Map<string, Map<string, Set<string>>>;
  /** The contributions that a moderator approved and published, with an acknowledged response. */
  readonly published: string[];
  readonly tokens: string[];
  /** The number of responses 503. */
  unavailable: number;
  /** The texts of responses that must never occur. */
  readonly unexpected: string[];
}

/** A load that runs until it is stopped. */
export interface WriteLoad {
  readonly promised: Promised;
  /** Starts no new actions and waits for the running ones. */
  stop(): Promise<void>;
}

/** The number of contributions that a human may send per day (gateway/PROTOCOL.md#write-limit). */
const perDay = 20;

/** Starts agents that request access, agents that contribute, and a moderator who publishes. */
export function startWriteLoad(system: System): WriteLoad {
  const promised: Promised = {
    requests: [],
    contributions: new Map(),
    published: [],
    tokens: [],
    unavailable: 0,
    unexpected: [],
  };
  const toReview: string[] = [];
  let stopping = false;
  let writersLeft = 0;

  /** Sends a request to both gateways in turn until the response is not 503. */
  const insist = async (attempt: (gateway: number) => Promise<HttpResponse>): Promise<HttpResponse> => {
    for (let at = 0; ; at += 1) {
      const answer = await attempt(at % 2);
      if (answer.status !== 503) return answer;
      promised.unavailable += 1;
      await pause(100);
    }
  };

  const asking = async (gateway: number): Promise<void> => {
    while (!stopping) {
      const email = freshEmail('asked');
      const body = { email, agent_name: 'Load' };
      const { status, json, text } = await sendJson('POST', `${system.gateways[gateway]}/api/v1/agent/authorize`, body);
      if (status === 202) {
        const { token_exchange: exchange, user_code: userCode } = json;
        promised.requests.push({ email, userCode, deviceCode: exchange.device_code });
      } else if (status === 503) promised.unavailable += 1;
      else promised.unexpected.push(text);
      await pause(60);
    }
  };

  const writing = async (): Promise<void> => {
    writersLeft += 1;
    while (!stopping) {
      const email = freshEmail('writer');
      const token = await until('a token', () => system.issueToken(email), 60_000, 100);
      promised.tokens.push(token);
      const taken = new Map<string, Set<string>>();
      promised.contributions.set(email, taken);
      for (let at = 0; at < perDay && !stopping; at += 1) {
        const key = randomUUID();
        const body = newStory();
        const post = (gateway: number) => contribute(system, token, body, { 'idempotency-key': key }, gateway);
        const ids = new Set<string>();
        taken.set(key, ids);
        // The second `insist` repeats a request that got a response. Each `insist` repeats requests without one.
        for (const answer of [await insist(post), await insist((gateway) => post(1 - gateway))]) {
          if (answer.status === 201) ids.add(answer.json.contribution.id);
          else promised.unexpected.push(answer.text);
        }
        toReview.push(...ids);
      }
      if (taken.size < perDay) break;
      // A retry is not charged again, so exactly the daily number of contributions was accepted.
      const beyond = await insist((gateway) => contribute(system, token, newStory(), {}, gateway));
      if (beyond.status !== 429) promised.unexpected.push(beyond.text);
    }
    writersLeft -= 1;
  };

  const reviewing = async (): Promise<void> => {
    for (;;) {
      const id = toReview.shift();
      if (id !== undefined) await publish(id);
      else if (stopping && writersLeft === 0) return;
      else await pause(20);
    }
  };

  const publish = async (id: string): Promise<void> => {
    const { moderation } = system.clients;
    for (;;) {
      try {
        await moderation.decide({ id, expectedRevision: 0, decision: Decision.APPROVE_AND_PUBLISH }, asTester());
        promised.published.push(id);
        return;
      } catch (error) {
        // The previous attempt succeeded, but its response was lost.
        if (hasCode(error, 'invalid_state')) {
          promised.published.push(id);
          return;
        }
        if (!hasCode(error, 'unavailable')) promised.unexpected.push(String(error));
        await pause(100);
      }
    }
  };

  const everybody = [asking(0), asking(1), writing(), writing(), writing(), reviewing()];
  return {
    promised,
    stop: async () => {
      stopping = true;
      await Promise.all(everybody);
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms * (0.5 + Math.random())));
}
