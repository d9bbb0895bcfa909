import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ChangeSubject } from '@knowledge/proto/knowledge/content/v1/content';
import type { WatchEditorialResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import { fromServiceError } from '@knowledge/runtime/grpc';
import { afterAll, expect, it } from 'vitest';
import { objectPut } from '../testing/put.js';
import { asEditor, serveContent } from '../testing/serve-content.js';

const served = await serveContent();
afterAll(() => served.close());

/** Matches a cursor with this position. */
const at = (position: number) => expect.stringMatching(new RegExp(`^${position}-[0-9a-f]{8}$`));

/** Reads `count` events after a cursor and then cancels the call. */
async function read(afterCursor: string, count: number): Promise<WatchEditorialResponse[]> {
  const call = served.editorial.watchEditorial({ afterCursor }, asEditor);
  const events: WatchEditorialResponse[] = [];
  try {
    for await (const event of call) if (events.push(event as WatchEditorialResponse) === count) break;
  } catch (error) {
    throw fromServiceError(error);
  }
  return events;
}

it('sends the changes of articles, highlights and objects with their actors, from the beginning', async () => {
  const { editorial } = served;
  await served.put('a', { publish: true, reason: 'new' });
  await editorial.setHighlights({ site: Site.ORG, highlights: [{ slug: 'a', editorNote: '' }] }, asEditor);
  const { object } = await editorial.putObject(objectPut(), asEditor);
  await editorial.withdrawObject({ id: object?.id ?? '', reason: 'wrong' }, asEditor);
  const events = await read('0', 4);
  expect(events).toMatchObject([
    {
      ...{ cursor: at(1), subject: ChangeSubject.ARTICLE, site: Site.ORG, key: 'a' },
      transition: { fromState: '', toState: 'published', actor: 'editor@test', reason: 'new', revision: 1 },
    },
    { cursor: at(2), subject: ChangeSubject.HIGHLIGHTS, key: '' },
    { cursor: at(3), subject: ChangeSubject.OBJECT, key: object?.id, transition: { toState: 'published' } },
    { cursor: at(4), transition: { fromState: 'published', toState: 'retracted', reason: 'wrong', revision: 2 } },
  ]);
});

it('loses and repeats no event when streams break while changes continue', async () => {
  const [last] = (await read('0', 4)).slice(-1);
  const writing = (async () => {
    for (let index = 0; index < 100; index++) {
      await served.put('b', { title: `Title ${index}` });
    }
  })();
  const cursors: number[] = [];
  let cursor = last?.cursor ?? '';
  while (cursors.length < 100) {
    const events = await read(cursor, Math.min(1 + Math.floor(Math.random() * 20), 100 - cursors.length));
    cursors.push(...events.map((event) => Number.parseInt(event.cursor, 10)));
    cursor = events.at(-1)?.cursor ?? cursor;
  }
  await writing;
  const first = Number.parseInt(last?.cursor ?? '', 10) + 1;
  expect(cursors).toEqual(Array.from({ length: 100 }, (_, index) => first + index));
});

it.each(['x', '-1', '999999'])('refuses the cursor %s', async (cursor) => {
  await expect(read(cursor, 1)).rejects.toMatchObject({ code: 'validation_error' });
});
