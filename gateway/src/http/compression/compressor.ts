import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** `most` is for bytes that are sent many times, `little` for those that are probably sent once. */
type Effort = 'most' | 'little';

interface CompressorOptions {
  /** The bytes that may wait, for each effort. */
  readonly maxWaitingBytes?: number;
  /** The share of one core that compressing takes in the long run. */
  readonly share?: number;
  /** The time in milliseconds that compressing may take beyond its share. */
  readonly burstMs?: number;
}

/** Compresses bodies outside the event loop. */
export type Compressor = ReturnType<typeof createCompressor>;

export function createCompressor({
  maxWaitingBytes = 1024 * 1024,
  share = 0.2,
  burstMs = 3_000,
}: CompressorOptions = {}) {
  // Each effort has its own queue, so that nothing short waits for something long.
  const queues: Record<Effort, Queue> = { most: newQueue(), little: newQueue() };
  let spentMs = 0;
  let spentAt = performance.now();

  const isSpent = () => {
    const now = performance.now();
    spentMs = Math.max(0, spentMs - (now - spentAt) * share);
    spentAt = now;
    return spentMs > burstMs;
  };

  const inTurn = async (queue: Queue, body: Buffer, work: () => Promise<Buffer>) => {
    queue.bytes += body.length;
    if (queue.isBusy) await new Promise<void>((resolve) => queue.waiting.push(resolve));
    queue.isBusy = true;
    const begun = performance.now();
    try {
      return await work();
    } finally {
      spentMs += performance.now() - begun;
      queue.bytes -= body.length;
      const next = queue.waiting.shift();
      if (next === undefined) queue.isBusy = false;
      else next();
    }
  };

  return {
    /** Returns undefined at once if too much is waiting, or if compressing took too much time lately. */
    compress(body: Buffer, coding: Compression, effort: Effort) {
      const queue = queues[effort];
      if (queue.bytes + body.length > maxWaitingBytes || isSpent()) return undefined;
      return inTurn(queue, body, () => codecs[coding](body, effort));
    },
  };
}

interface Queue {
  readonly waiting: (() => void)[];
  bytes: number;
  isBusy: boolean;
}

function newQueue(): Queue {
  return { waiting: [], bytes: 0, isBusy: false };
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const codecs: Record<Compression, (body: Buffer, effort: Effort) => Promise<Buffer>> = {
  br: (body, effort) => {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: effort === 'most' && body.length <= largeBytes ? quality.most : quality.little,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    };
    return brotli(body, { params });
  },
  gzip: (body, effort) => zip(body, { level: effort === 'most' ? 9 : 6 }),
};

/**
 * Of an index, quality 10 leaves 23 % and takes 0.4 ms a kilobyte. Quality 5 leaves 27 % in 0.02 ms, and 11 takes
 * 1.5 ms for about the same bytes as 10. Larger bodies repeat more, and 5 is enough for them.
 */
const quality = { most: 10, little: 5 } as const;
const largeBytes = 256 * 1024;

/** The content codings of compressed forms, best first. */
const compressions = ['br', 'gzip'] as const;

export type Compression = (typeof compressions)[number];

/** A content coding of RFC 9110; `identity` is the plain form. */
export type Coding = Compression | 'identity';

/**
 * Returns the codings that `Accept-Encoding` takes, best first (RFC 9110 section 12.5.3). `br` wins ties. Without the
 * header, or if it takes none of ours, the plain form is sent.
 */
export function acceptedCodings(header: string | undefined): readonly Coding[] {
  if (header === undefined || header.length > maxLength) return plain;
  const known = recent.get(header);
  if (known !== undefined) return known;
  const negotiator: EncodingNegotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const codings = negotiator.encodings([...compressions, 'identity'], { preferred: [...compressions] });
  const accepted = codings.length > 0 ? (codings as Coding[]) : plain;
  recent.set(header, accepted);
  return accepted;
}

/** The types of the library lack the second parameter. */
interface EncodingNegotiator {
  encodings(offered: string[], options: { preferred: string[] }): string[];
}

const plain: readonly Coding[] = ['identity'];

/** Clients send up to 50 characters. A header beyond this bound is not read. */
const maxLength = 256;

// Most clients send one of a few headers, so few are parsed.
const recent = new LRUCache<string, readonly Coding[]>({ max: 500 });
