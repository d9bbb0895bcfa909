import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { matchesEtag } from '../etags.js';
import { acceptedCodings, type Coding, type Compression, type Compressor, createCompressor } from './compressor.js';

/** A response that every caller may get. */
export interface PublicResponse {
  readonly body: Buffer;
  /** The strong ETag of the plain bytes. */
  readonly etag: string;
  /** Whether the bytes are probably sent only once, so that much effort to compress them is not worth it. */
  readonly isOneOff?: boolean;
}

/** A public response in one content coding. */
export interface Form {
  readonly body: Buffer;
  /** The strong ETag of this form. Every form has its own. */
  readonly etag: string;
  readonly coding: Coding;
}

/** The form that answers a request, and whether the caller already has it. */
export interface ChosenForm extends Form {
  readonly isNotModified: boolean;
  /** Whether the request prefers another form, which `prepare` can make. */
  readonly isSecondBest: boolean;
}

/** Public responses in compressed forms. Each form is made once, and cached under the ETag of the plain one. */
export type Forms = ReturnType<typeof createForms>;

export interface FormsOptions {
  /** The memory for compressed forms, in bytes. */
  readonly maxBytes: number;
  readonly compressor?: Compressor;
}

export function createForms({ maxBytes, compressor = createCompressor() }: FormsOptions) {
  const made = new LRUCache<string, CompressedForms>({
    maxSize: maxBytes,
    sizeCalculation: ({ br, gzip }) => overheadBytes + (br?.body.length ?? 0) + (gzip?.body.length ?? 0),
  });
  const running = new Map<string, Promise<void>>();

  const make = (response: PublicResponse, coding: Compression, tag: string): Promise<void> | undefined => {
    const { body, etag, isOneOff } = response;
    const keep = (form: ChosenForm): void => void made.set(etag, { ...made.get(etag), [coding]: form });
    const compressing = compressor.compress(body, coding, isOneOff ? 'little' : 'most');
    if (compressing === undefined) return undefined;
    const done = compressing.then(
      (bytes) => {
        const isSmaller = bytes.length < body.length * worthwhile;
        keep(isSmaller ? best({ body: copyOf(bytes), etag: tag, coding }) : notSmaller);
      },
      () => keep(notSmaller),
    );
    const over = done.then(() => void running.delete(tag));
    running.set(tag, over);
    return over;
  };

  return {
    /**
     * Chooses the form that a request prefers; the plain one if that is not made. `If-None-Match` may name any form that
     * the caller takes.
     */
    choose(response: PublicResponse, headers: IncomingHttpHeaders): ChosenForm {
      const { body, etag } = response;
      const held = heldEtag(response, headers);
      if (held !== undefined) return { body, etag: held, coding: 'identity', isNotModified: true, isSecondBest: false };
      const coding = preferredCoding(response, headers);
      const form = coding === 'identity' ? notSmaller : made.get(etag)?.[coding];
      if (form !== undefined && form !== notSmaller) return form;
      return { body, etag, coding: 'identity', isNotModified: false, isSecondBest: form === undefined };
    },
    /**
     * Makes the form that a request prefers; undefined if nothing is to be made. Callers wait for it: if the plain form
     * were sent meanwhile, the ETag of the next response would differ without a change.
     */
    prepare(response: PublicResponse, headers: IncomingHttpHeaders): Promise<unknown> | undefined {
      if (!this.choose(response, headers).isSecondBest) return undefined;
      const coding = preferredCoding(response, headers) as Compression;
      const tag = etagOf(response.etag, coding);
      return running.get(tag) ?? make(response, coding, tag);
    },
  };
}

type CompressedForms = Partial<Record<Compression, ChosenForm>>;

function best({ body, etag, coding }: Form): ChosenForm {
  return { body, etag, coding, isNotModified: false, isSecondBest: false };
}

/** Bodies below this size fit into one packet of the network. */
const minBytes = 1024;

/** A form must be smaller than this share of the plain one. */
const worthwhile = 0.9;
/** Stands for a compressed form that is not worth it. */
const notSmaller = best({ body: Buffer.alloc(0), etag: '', coding: 'identity' });

/** The approximate memory of the forms of a response besides their bodies, in bytes. */
const overheadBytes = 800;

function preferredCoding({ body }: PublicResponse, headers: IncomingHttpHeaders) {
  if (body.length < minBytes) return 'identity';
  return acceptedCodings(headers['accept-encoding'])[0] ?? 'identity';
}

/**
 * Finds the ETag that `If-None-Match` names among those of the forms that the caller takes. No other form counts: after
 * its 304, a cache would give the bytes of that form to a caller that cannot read them.
 */
function heldEtag({ body, etag }: PublicResponse, headers: IncomingHttpHeaders) {
  const { 'if-none-match': sent, 'accept-encoding': accepted } = headers;
  if (sent === undefined) return undefined;
  // Without the header a caller takes every coding (RFC 9110 section 12.5.3).
  const codings = accepted === undefined || body.length < minBytes ? plainFirst : acceptedCodings(accepted);
  for (const coding of codings) {
    const ofForm = etagOf(etag, coding);
    if (matchesEtag(ofForm, sent)) return ofForm;
  }
  return undefined;
}

const plainFirst: readonly Coding[] = ['identity', 'br', 'gzip'];

/** The ETag of a form: that of the plain one, with the name of the coding. */
function etagOf(etag: string, coding: Coding) {
  return coding === 'identity' ? etag : `${etag.slice(0, -1)}-${coding}"`;
}

// zlib returns a part of a larger buffer, which would stay in memory as a whole.
function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
