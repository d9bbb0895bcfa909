import { hasCode, KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openSources, type PastEvents, readPast, type WatchOptions } from '../../watch/sources.js';
import { callOf, formField, readFaults, sendPage, staffOf, type WebDesk } from '../page-parts.js';
import { recordFormats } from './events.js';
import { readRecordQuery, recordPage, refusedPage, toWatchOptions } from './record-page.js';

/** Entries on a page, and in a file. */
const onPage = 50;
const inFile = 20_000;

/** Registers the record of all actions: what the logs of the services say, with a filter, and as a file. */
export function registerRecord(app: FastifyInstance, { connect }: WebDesk): void {
  const read = async (
    request: FastifyRequest,
    reply: FastifyReply,
    options: WatchOptions,
    last: number,
  ): Promise<PastEvents> => {
    // A stream that nobody reads any more must end.
    const ended = new AbortController();
    reply.raw.once('close', () => ended.abort());
    const sources = openSources({ connect, callContext: () => callOf(request) }, { ...options, last }, ended.signal);
    try {
      return await readPast(sources, last);
    } finally {
      ended.abort();
    }
  };

  app.get('/record', async (request, reply) => {
    const query = readRecordQuery(request.query);
    try {
      const options = toWatchOptions(query, new Date());
      const before = query.page * onPage;
      const last = before + onPage + 1;
      const { events, refused } = await read(request, reply, options, last);
      // The end stays, so that what happens meanwhile moves no entry to another page.
      const older = { ...query, to: options.until.toISOString(), page: query.page + 1 };
      const view = {
        query,
        refused,
        events: events.slice(before, before + onPage),
        older: events.length === last ? older : undefined,
      };
      return sendPage(reply, recordPage(view, staffOf(request)));
    } catch (error) {
      if (!hasCode(error, 'validation_error')) throw error;
      return sendPage(reply, refusedPage(query, readFaults(error as KnowledgeError, ['from', 'to', 'subject'])));
    }
  });

  app.get('/record/file', async (request, reply) => {
    const format = formField(request.query, 'format', 10);
    if (!isFormat(format)) throw new KnowledgeError('validation_error', 'The format must be csv or jsonl.');
    const options = toWatchOptions(readRecordQuery(request.query), new Date());
    const { events } = await read(request, reply, options, inFile);
    return reply
      .type(recordFormats[format].type)
      .header('content-disposition', `attachment; filename="record.${format}"`)
      .send(recordFormats[format].format(events));
  });
}

function isFormat(word: string): word is keyof typeof recordFormats {
  return Object.hasOwn(recordFormats, word);
}
