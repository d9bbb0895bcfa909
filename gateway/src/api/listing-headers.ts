import type { OutgoingHttpHeaders } from 'node:http';
import type { ChosenForm, Form } from '../http/compression/forms.js';

/** The headers of a cached listing, prepared for each of its forms. */
export interface ListingHeaders {
  /**
   * Returns names and values in turn, for `writeHead`. The array is valid until the next call, because a new one for
   * each response would cost more than filling in the few values that differ.
   */
  of(id: string, form: ChosenForm): readonly (string | number)[];
}

/** Prepares the headers of a listing from those of its first response. */
export function listingHeaders(first: OutgoingHttpHeaders): ListingHeaders {
  const common = Object.entries(first)
    .filter(([name]) => !ownHeaders.has(name))
    .flatMap(([name, value]) => [name, String(value)]);
  const notModified = headOf(common);
  const ofCoding: Partial<Record<Form['coding'], Head>> = {};
  const typed = (coding: Form['coding']): Head => {
    const head = ofCoding[coding] ?? headOf(typedHeaders(coding), common);
    ofCoding[coding] = head;
    return head;
  };
  return {
    of(id, { etag, coding, body, isNotModified }) {
      const head = isNotModified ? notModified : typed(coding);
      head[at.id] = id;
      head[at.etag] = etag;
      if (!isNotModified) head[at.length] = body.length;
      return head;
    },
  };
}

type Head = (string | number)[];

/** The places of the values that differ between responses. */
const at = { id: 1, etag: 3, length: 5 } as const;

function headOf(...parts: readonly (readonly string[])[]): Head {
  return ['x-request-id', '', 'etag', '', ...parts.flat()];
}

function typedHeaders(coding: Form['coding']): string[] {
  const typed = ['content-length', '', 'content-type', 'application/json; charset=utf-8'];
  return coding === 'identity' ? typed : [...typed, 'content-encoding', coding];
}

const ownHeaders = new Set(['x-request-id', 'content-length', 'content-type', 'content-encoding', 'etag']);
