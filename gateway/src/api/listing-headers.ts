import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ChosenForm, Form } from '../http/compression/forms.js';
import { type PreparedHeaders, prepareHeaders, writePreparedHead } from '../http/prepared-head.js';

/** The headers of a cached listing, prepared for each of its forms. */
export interface ListingHeaders {
  /** Sends a form of the listing, or 304. */
  send(reply: ServerResponse, id: string, form: ChosenForm): void;
}

/** Prepares the headers of a listing from those of its first response. */
export function listingHeaders(first: OutgoingHttpHeaders): ListingHeaders {
  const common = Object.entries(first)
    .filter(([name]) => !ownHeaders.has(name))
    .flatMap(([name, value]) => [name, String(value)]);
  const notModified = prepareHeaders(common);
  const ofCoding: Partial<Record<Form['coding'], PreparedHeaders>> = {};
  const typed = (coding: Form['coding']): PreparedHeaders => {
    const known = ofCoding[coding] ?? prepareHeaders([...typeHeaders(coding), ...common]);
    ofCoding[coding] = known;
    return known;
  };
  return {
    send(reply, id, { etag, coding, body, isNotModified }) {
      const own = ['x-request-id', id, 'etag', etag];
      if (isNotModified) {
        writePreparedHead(reply, 304, own, notModified);
        reply.end();
      } else {
        own.push('content-length', String(body.length));
        writePreparedHead(reply, 200, own, typed(coding));
        reply.end(body);
      }
    },
  };
}

const ownHeaders = new Set(['x-request-id', 'content-length', 'content-type', 'content-encoding', 'etag']);

function typeHeaders(coding: Form['coding']): string[] {
  const type = ['content-type', 'application/json; charset=utf-8'];
  return coding === 'identity' ? type : [...type, 'content-encoding', coding];
}
