import { hasCode, KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type PastEvents, readPast } from '../../watch/read-past.js';
import { openSources } from '../../watch/sources.js';
import { readFaults } from '../forms/form-values.js';
import { formField } from '../http/form-field.js';
import { callOf } from '../http/session.js';
import { sendPage } from '../layout/send-page.js';
import type { WebDesk } from '../web-desk.js';
import { recordFormats } from './record-file.js';
import { recordPage, refusedPage } from './record-page.js';
import { readRecordQuery, toWatchOptions } from './record-query.js';

/** Entries on the page, in a file, and read from one log at most. */
const onPage = 500;
const inFile = 20_000;
const most = 100_000;

/** Registers the record of all actions: what the logs of the services say, with a filter, and as a file. */
export function registerRecord(app: FastifyInstance, { connect }: WebDesk): void {
  const read = async (request: FastifyRequest, reply: FastifyReply, keep: number): Promise<PastEvents> => {
    const options = toWatchOptions(readRecordQuery(request.query), new Date());
    // A stream that nobody reads any more must end.
    const ended = new AbortController();
    reply.raw.once('close', () => ended.abort());
    const sources = openSources({ connect, callContext: () => callOf(request) }, options, ended.signal);
    try {
      return await readPast(sources, { keep, most });
    } finally {
      ended.abort();
    }
  };

  app.get('/record', async (request, reply) => {
    const query = readRecordQuery(request.query);
    try {
      return sendPage(reply, recordPage(query, await read(request, reply, onPage)));
    } catch (error) {
      if (!hasCode(error, 'validation_error')) throw error;
      return sendPage(reply, refusedPage(query, readFaults(error as KnowledgeError, ['from', 'to', 'subject'])));
    }
  });

  app.get('/record/file', async (request, reply) => {
    const format = formField(request.query, 'format', 10);
    if (!isFormat(format)) throw new KnowledgeError('validation_error', 'The format must be csv or jsonl.');
    const { events } = await read(request, reply, inFile);
    return reply
      .type(recordFormats[format].type)
      .header('content-disposition', `attachment; filename="record.${format}"`)
      .send(recordFormats[format].format(events));
  });
}

function isFormat(word: string): word is keyof typeof recordFormats {
  return Object.hasOwn(recordFormats, word);
}
