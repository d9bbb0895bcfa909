import { setImmediate } from 'node:timers/promises';
import { type Logger, orAbort } from '@knowledge/runtime';
import type { ChangeStream } from '../../domain/change-stream.js';
import { createCompounds } from '../analysis/compounds.js';
import { learnWords } from '../index/learn-words.js';
import type { Glosses, PublishedTexts, Synonyms } from '../index/ports.js';
import { learnCompounds } from '../index/prepare.js';
import { searchTextOf, type TextKey } from '../index/search-text.js';
import { blockSize } from './documents.js';
import { type IndexStore, leaseSeconds } from './index-store.js';
import { type NewText, newTextOf } from './new-text.js';
import { createPostingWriter, type PostingWriter } from './postings.js';
import { countTerms } from './text-words.js';

export interface FillParts {
  readonly store: IndexStore;
  readonly texts: PublishedTexts;
  readonly glosses: Glosses;
  readonly synonyms: Synonyms;
  readonly changeStream: ChangeStream;
  readonly log: Logger;
  /** The name of this process. */
  readonly owner: string;
  readonly signal: AbortSignal;
  /** Called with the number of texts of each block that is filled. */
  readonly onFilled?: ((texts: number) => void) | undefined;
}

const renewMs = 5000;

/**
 * Fills the stored index block by block, in the order of the keys. One process does it at a time. After an end in between, any
 * process goes on with the next block. Texts that change meanwhile are read again when the log is followed.
 */
export async function fillIndex(parts: FillParts) {
  const { store, texts, glosses, synonyms, changeStream, log, owner, signal, onFilled } = parts;
  const state = await store.lease(owner, leaseSeconds, signal);
  if (state === undefined) return;
  const startedAt = performance.now();
  let renewedAt = startedAt;
  const renew = async (): Promise<void> => {
    // Lets other calls run, since a long text takes tens of milliseconds.
    await setImmediate();
    if (performance.now() - renewedAt < renewMs) return;
    renewedAt = performance.now();
    if ((await store.lease(owner, leaseSeconds, signal)) === undefined)
      throw new Error('Another process fills the search index.');
  };

  log.info({ texts: state.blocks * blockSize }, 'the stored search index is being filled');
  const compounds = createCompounds();
  await orAbort(synonyms.loaded, signal);
  learnWords(synonyms, compounds);
  // The parts of compounds must be known before the first compound is prepared.
  for (let part = await texts.nextGerman(undefined, signal); part.length > 0; ) {
    for (const text of part) {
      learnCompounds(text.entry, compounds);
      await renew();
    }
    part = await texts.nextGerman(part.at(-1)?.key, signal);
  }
  if (state.blocks === 0) await store.clear(owner, await changeStream.sync(), signal);

  let block = createBlock();
  let blocks = state.blocks;
  const write = async (): Promise<void> => {
    if (block.texts.length === 0) return;
    await store.addBlock({ owner, block: blocks, texts: block.texts, postings: block.postings() }, signal);
    onFilled?.(block.texts.length);
    const count = blocks * blockSize + block.texts.length;
    blocks++;
    block = createBlock();
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    log.info({ texts: count, seconds }, 'a block of the stored search index is filled');
  };
  let after = state.cursor === '' ? undefined : (state.cursor as TextKey);
  for (;;) {
    const part = await texts.next(after, signal);
    const last = part.at(-1);
    if (last === undefined) break;
    after = last.key;
    const glossOf = await glosses.of(
      part.map(({ key }) => key),
      signal,
    );
    for (const text of part) {
      block.add(newTextOf(searchTextOf(text, glossOf.get(text.key)), compounds));
      await renew();
      if (block.texts.length === blockSize) await write();
    }
  }
  await write();
  await store.finish(owner, signal);
}

function createBlock() {
  const texts: NewText[] = [];
  const writers = new Map<string, PostingWriter>();
  return {
    texts,
    add(text: NewText): void {
      const slot = texts.push(text) - 1;
      for (const [term, counts] of countTerms(text.words)) {
        let writer = writers.get(term);
        if (writer === undefined) {
          writer = createPostingWriter();
          writers.set(term, writer);
        }
        writer.add(slot, counts);
      }
    },
    *postings(): Iterable<readonly [string, Uint8Array]> {
      for (const [term, writer] of writers) yield [term, writer.bytes()];
    },
  };
}
