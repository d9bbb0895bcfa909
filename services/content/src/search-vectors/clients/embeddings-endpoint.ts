import { type Embedder, EmbeddingsError } from '../domain/embedder.js';
import { maxDimensions } from '../domain/text-vectors.js';

export interface EmbeddingsEndpointOptions {
  /** The whole address, such as `https://embeddings.example/v1/embeddings`. */
  readonly url: string;
  readonly model: string;
  /** Sent as a Bearer token. */
  readonly key?: string | undefined;
}

/**
 * Calls an embeddings endpoint with the protocol of OpenAI. It follows no redirect, reads no more than the answer may
 * have, and trusts nothing in it.
 */
export function createEmbeddingsEndpoint({ url, model, key }: EmbeddingsEndpointOptions): Embedder {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };
  return {
    model,
    async embed(texts, signal) {
      const body = JSON.stringify({ model, input: texts, encoding_format: 'float' });
      const response = await send(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      if (response.status !== 200) {
        // Not awaited, since the rest of the answer may never come.
        response.body?.cancel().catch(() => undefined);
        const fault = refusals.has(response.status) ? 'refused' : 'unreachable';
        throw new EmbeddingsError(fault, `The embeddings endpoint answered with status ${response.status}.`);
      }
      return readVectors(await readJson(response, texts.length, signal), texts.length);
    },
  };
}

/** The statuses that say something about the texts. Others say that the endpoint does not work, or not for us. */
const refusals: ReadonlySet<number> = new Set([400, 413, 422]);

/** How many bytes a number of an answer may have, and an answer beside its numbers. */
const bytesOf = { number: 26, rest: 4096 };

async function send(url: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    init.signal.throwIfAborted();
    throw new EmbeddingsError('unreachable', 'The embeddings endpoint cannot be reached.', { cause: error });
  }
}

async function readJson(response: Response, texts: number, signal: AbortSignal): Promise<unknown> {
  const most = texts * (maxDimensions * bytesOf.number + bytesOf.rest) + bytesOf.rest;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    // Leaving the loop cancels the body.
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > most) break;
      chunks.push(chunk);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new EmbeddingsError('unreachable', 'The embeddings endpoint broke off its answer.', { cause: error });
  }
  if (bytes > most) throw bad('is too long');
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw bad('is not JSON');
  }
}

function readVectors(answer: unknown, texts: number): Float32Array[] {
  const { data } = (answer ?? {}) as { data?: unknown };
  if (!Array.isArray(data) || data.length !== texts) throw bad('does not have one vector for each text');
  const vectors = new Map<number, Float32Array>();
  for (const [place, item] of data.entries()) {
    const { index = place, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown };
    if (typeof index !== 'number' || !Array.isArray(embedding)) throw bad('does not have the fields of an embedding');
    vectors.set(index, toVector(embedding));
  }
  const ordered = data.map((_, place) => vectors.get(place));
  const length = ordered[0]?.length;
  return ordered.map((vector) => {
    if (vector === undefined) throw bad('numbers its vectors wrongly');
    if (vector.length !== length) throw bad('has vectors of different lengths');
    return vector;
  });
}

/** Scales the vector to length 1. */
function toVector(values: readonly unknown[]): Float32Array {
  if (values.length === 0 || values.length > maxDimensions) throw bad('has a vector of a wrong length');
  const vector = new Float32Array(values.length);
  for (const [at, value] of values.entries()) {
    if (typeof value !== 'number') throw bad('has a vector with something else than numbers');
    vector[at] = value;
  }
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  // A number that is infinite as a Float32 makes the length infinite too.
  if (!Number.isFinite(length) || length === 0) throw bad('has a vector without a direction');
  return vector.map((value) => value / length);
}

function bad(how: string): EmbeddingsError {
  return new EmbeddingsError('bad_answer', `The answer of the embeddings endpoint ${how}.`);
}
