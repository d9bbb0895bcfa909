import type { WatchChangesRequest, WatchChangesResponse } from '@knowledge/proto/knowledge/content/v1/content';
import { KnowledgeError } from '@knowledge/runtime';
import { type BidiStreamHandler, bidiStream } from '@knowledge/runtime/grpc';
import { type ChangeWatch, type WatchDeps, type WatchMessage, watchChanges } from '../domain/change-watch.js';
import { presentSite, presentSubject } from './wire-enums.js';

export function handleWatchChanges(deps: WatchDeps): BidiStreamHandler<WatchChangesRequest, WatchChangesResponse> {
  return bidiStream(async (requests, { signal }, emit) => {
    const incoming = requests[Symbol.asyncIterator]();
    const watch = watchChanges(deps, await readStart(incoming), signal);
    void readPings(incoming, watch);
    // A watcher that reads nothing lets no message be sent, and is given up all the same.
    for await (const message of watch.messages()) await Promise.race([emit(present(message)), watch.failed]);
  });
}

// A position that no log of ours reaches is one of another log: beyond the end, however far.
async function readStart(incoming: AsyncIterator<WatchChangesRequest>): Promise<number> {
  const { value, done } = await incoming.next();
  if (done || value.message?.$case !== 'start') {
    throw new KnowledgeError('validation_error', 'The first message must be start.');
  }
  const afterPosition = Number(value.message.value.afterPosition);
  if (afterPosition < 0) throw new KnowledgeError('validation_error', 'after_position must be 0 or more.');
  return Math.min(afterPosition, Number.MAX_SAFE_INTEGER);
}

// Runs beside the answers and never throws: what goes wrong here ends the watch, which ends the call.
async function readPings(incoming: AsyncIterator<WatchChangesRequest>, watch: ChangeWatch): Promise<void> {
  try {
    for (;;) {
      const { value, done } = await incoming.next();
      if (done) return watch.end();
      if (value.message?.$case === 'ping') watch.ping(value.message.value.nonce);
      else return watch.end(new KnowledgeError('validation_error', 'After start only pings are expected.'));
    }
  } catch (error) {
    watch.end(error);
  }
}

function present(message: WatchMessage): WatchChangesResponse {
  switch (message.kind) {
    case 'started':
      return { message: { $case: 'started', value: { position: message.position } } };
    case 'pong':
      return { message: { $case: 'pong', value: { nonce: message.nonce, position: message.position } } };
    case 'change': {
      const { position, subject, site, key, tags } = message.change;
      const value = { position, subject: presentSubject(subject), site: presentSite(site), key, tags: [...tags] };
      return { message: { $case: 'change', value } };
    }
  }
}
