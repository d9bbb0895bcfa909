import { randomUUID } from 'node:crypto';
import { hasCode } from '@knowledge/runtime';
import { contribute, freshEmail, newStory, sendJson } from '../harness/agent.js';
import type { HttpResponse } from '../harness/http.js';
import { asTester, type System } from '../harness/system.js';
import { until } from '../harness/until.js';

/** Everything that the system acknowledged under load. */
export interface Promised {
  /** All requests for access that got 202. */
  readonly requests: { email: string; userCode: string; deviceCode: string }[];
  /** All contributions that got 201: the ids in responses by the key sent, per e-mail. */
  readonly contributions: Map<string, Map<string, Set<string>>>;
  /** Contributions whose approval with publication was acknowledged. */
  readonly published: string[];
  readonly tokens: string[];
  /** How often a caller got 503. */
  unavailable: number;
  /** Responses that must never occur. */
  readonly unexpected: string[];
}

/** A load that runs until it is stopped. */
export interface WriteLoad {
  readonly promised: Promised;
  /** Stops new actions and waits for those that have begun. */
  stop(): Promise<void>;
}

/** How many contributions a human may send per day (gateway/PROTOCOL.md#write-limit). */
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

  /** Repeats a request over both gateways until the response is not 503. */
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
        // The second send repeats an answered request. Retries inside it repeat unanswered ones.
        for (const answer of [await insist(post), await insist((gateway) => post(1 - gateway))]) {
          if (answer.status === 201) ids.add(answer.json.contribution.id);
          else promised.unexpected.push(answer.text);
        }
        toReview.push(...ids);
      }
      if (taken.size < perDay) break;
      // Retries are charged once, so exactly the daily number was accepted.
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
        await moderation.approveContribution({ id, expectedRevision: 0, publish: true, reason: '' }, asTester());
        promised.published.push(id);
        return;
      } catch (error) {
        // The response to the previous attempt was lost, but it had succeeded.
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
