import { KnowledgeError } from '@knowledge/runtime';
import { failureBody } from '@knowledge/runtime/http';
import { limits } from '../protocol/limits.js';
import type { Tool } from '../protocol/mcp-tools.js';
import type { RequestParts } from './arguments.js';

interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const { toolAnswer: bound, toolPartTokens } = limits;

/** Asks for what clients can take: a part of a long article, or fewer entries of a long list. */
export async function askWithin<T extends Answer>(
  { operation: { query } }: Tool,
  parts: RequestParts,
  ask: (of: RequestParts, method?: 'HEAD') => Promise<T>,
): Promise<T> {
  const takes = (name: string) => query?.properties[name] !== undefined;
  const withQuery = (name: string, value: number): RequestParts => {
    const changed = new URLSearchParams(parts.query);
    changed.set(name, String(value));
    return { ...parts, query: changed };
  };
  // HEAD costs no read. What is not too long comes as the API sends it.
  if (takes('max_tokens')) {
    const head = await ask(parts, 'HEAD');
    // The time to answer is over, and a HEAD has no words.
    if (head.statusCode === 503) return { ...head, body: failureBody(noAnswer()) };
    const isLong = Number(head.headers['content-length'] ?? 0) > bound;
    return ask(isLong ? withQuery('max_tokens', toolPartTokens) : parts);
  }
  let answer = await ask(parts);
  for (let count = countOf(answer); takes('limit') && count > 1; count = countOf(answer))
    answer = await ask(withQuery('limit', Math.max(1, Math.floor((count * bound * 0.9) / bytesOf(answer.body)))));
  return answer;
}

function noAnswer() {
  return new KnowledgeError('unavailable', 'A part of the service does not answer in time; try again.');
}

// Bytes are nearer to tokens than characters, of which other scripts have fewer.
const bytesOf = (text: string) => Buffer.byteLength(text);

/** The entries of a list that is too long. */
function countOf({ body }: Answer) {
  if (bytesOf(body) <= bound) return 0;
  return (JSON.parse(body) as { entries?: unknown[] }).entries?.length ?? 0;
}

/** Cuts the longest texts of an answer that is still too long. Undefined if it fits. */
export function cutToBound(body: string): string | undefined {
  let cut = body;
  for (let length = bound / 2; bytesOf(cut) > bound && length > 100; length /= 2)
    cut = JSON.stringify(JSON.parse(body), (_, value) =>
      typeof value === 'string' && value.length > length
        ? `${value.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`
        : value,
    );
  return cut === body ? undefined : cut;
}

/** An article, an object or an entry of a search, as far as every one of them is alike. */
interface Text {
  readonly title?: string;
  readonly body?: string;
  readonly api_url?: string;
}

/**
 * Makes the result that clients expect which know only the tools `search` and `fetch`, such as ChatGPT's connectors.
 * What more there is stands beside it.
 */
export function simpleForm(called: string, answer: Readonly<Record<string, unknown>>): string {
  if (called === 'search') {
    const { entries = [], ...rest } = answer as { entries?: Text[] };
    return JSON.stringify({ results: entries.map((entry) => ({ ...identified(entry), ...entry })), ...rest });
  }
  const { article, object = article, ...rest } = answer as { article?: Text; object?: Text };
  const { body, ...facts } = object ?? {};
  return JSON.stringify({ ...identified(facts), text: body, metadata: { ...facts, ...rest } });
}

// The address is also the id, because it says the site too.
function identified({ title, api_url: id = '' }: Text) {
  return {
    id,
    title,
    url: id.replace(/\/api\/v1\/(content|objects)\//, (_, kind) => pages[kind as keyof typeof pages]),
  };
}

const pages = { content: '/articles/', objects: '/objects/' };
