import {
  ChangeSubject,
  type ContentServiceService,
  type WatchChangesRequest,
  type WatchChangesResponse,
} from '@knowledge/proto/knowledge/content/v1/content';
import type { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { KnowledgeError, refuse } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { cursorOf, readCursor, requireMatchingEntry, type WatchedLog, watchHandler } from '@knowledge/runtime/watch';
import { enumWords, toWireSite, toWireTransition } from '@knowledge/runtime/wire';
import { type Change, type ChangeLog, factsOfChange } from './log.js';
import { ChangeWatch, type WatchMessage, type WatchParts } from './watch.js';

const { toWire: toWireSubject } = enumWords('subject', ChangeSubject);

export function watchChanges(parts: WatchParts): Handlers<ContentServiceService>['watchChanges'] {
  return async (requests, { signal }, emit) => {
    const incoming = requests[Symbol.asyncIterator]();
    const { after, withSynonyms } = await readStart(incoming, parts.changes, signal);
    const watch = new ChangeWatch(parts, after, signal);
    void readPings(incoming, watch);
    for await (const message of watch.messages()) {
      if (message.kind === 'change' && isUnseen(message.change, withSynonyms)) continue;
      const response =
        message.kind === 'started' ? await begun(message.position, parts.changes, signal) : toWireMessage(message);
      // `emit` never resolves for a watcher that reads nothing. Its watch must still be able to end.
      await Promise.race([emit(response), watch.failed]);
    }
  };
}

/** The log with its transitions, for internal teams. */
export function watchEditorial(log: WatchedLog<Change>): Handlers<EditorialServiceService>['watchEditorial'] {
  return watchHandler(log, {
    factsOf: factsOfChange,
    toWire: ({ subject, site, key, transition }, cursor) => ({
      cursor,
      key,
      subject: toWireSubject(subject),
      site: toWireSite(site),
      transition: toWireTransition(transition),
    }),
  });
}

/** Whether a change is none for this watcher. Readers see nothing of drafts. */
function isUnseen({ subject }: Change, withSynonyms: boolean) {
  return subject === 'article_draft' || (subject === 'synonyms' && !withSynonyms);
}

interface Start {
  /** The position after which the watch begins; undefined sends only new changes. */
  readonly after: number | undefined;
  /** Earlier versions of the gateway do not know changes of synonyms, so a watch must ask for them. */
  readonly withSynonyms: boolean;
}

async function readStart(
  incoming: AsyncIterator<WatchChangesRequest>,
  changes: ChangeLog,
  signal: AbortSignal,
): Promise<Start> {
  const { value, done } = await incoming.next();
  if (done || value.message?.$case !== 'start') {
    refuse('The first message must be start');
  }
  const { afterPosition, afterCursor = '', withSynonyms = false } = value.message.value;
  const cursor = readCursor(afterCursor);
  if (cursor === undefined) return { after: readPosition(Number(afterPosition)), withSynonyms };
  requireMatchingEntry(cursor, await changeAt(cursor.position, changes, signal), factsOfChange);
  return { after: cursor.position, withSynonyms };
}

// A position beyond the safe integers is treated as one beyond the end of the log.
function readPosition(position: number) {
  if (position < 0) refuse('after_position must be 0 or more');
  return position === 0 ? undefined : Math.min(position, Number.MAX_SAFE_INTEGER);
}

async function changeAt(position: number, changes: ChangeLog, signal: AbortSignal) {
  if (position === 0) return undefined;
  const [change] = await changes.after(position - 1, 1, signal);
  return change;
}

async function begun(position: number, changes: ChangeLog, signal: AbortSignal): Promise<WatchChangesResponse> {
  const change = await changeAt(position, changes, signal);
  const cursor = change?.position === position ? cursorOf(change, factsOfChange(change)) : String(position);
  return { message: { $case: 'started', value: { position, cursor } } };
}

// Runs in parallel to the responses and never throws. An error ends the watch, which ends the call.
async function readPings(incoming: AsyncIterator<WatchChangesRequest>, watch: ChangeWatch) {
  try {
    for (;;) {
      const { value, done } = await incoming.next();
      if (done) return watch.end();
      if (value.message?.$case === 'ping') watch.ping(value.message.value.nonce);
      else return watch.end(new KnowledgeError('validation_error', 'After start, send only pings.'));
    }
  } catch (error) {
    watch.end(error);
  }
}

function toWireMessage(message: Exclude<WatchMessage, { kind: 'started' }>): WatchChangesResponse {
  switch (message.kind) {
    case 'pong':
      return { message: { $case: 'pong', value: { nonce: message.nonce, position: message.position } } };
    case 'change': {
      const { position, subject, site, key, tags } = message.change;
      const cursor = cursorOf(message.change, factsOfChange(message.change));
      const value = {
        position,
        subject: toWireSubject(subject),
        site: toWireSite(site),
        key,
        tags: [...tags],
        cursor,
      };
      return { message: { $case: 'change', value } };
    }
  }
}
