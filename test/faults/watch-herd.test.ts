import type { ClientReadableStream } from '@grpc/grpc-js';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { connectGrpc } from '@knowledge/runtime/grpc';
import { expect, test } from 'vitest';
import { archiveArticle } from '../harness/articles.js';
import { ownSystem } from '../harness/own.js';
import { seedReading } from '../harness/reading.js';
import { asTester } from '../harness/system.js';
import { until } from '../harness/until.js';

const crowd = 1000;

const system = await ownSystem();
await seedReading(system);

/** Opens a thousand idle streams and counts the messages that they receive. */
async function openCrowd(open: () => ClientReadableStream<unknown>) {
  const crew = { begun: 0, heard: 0, dropped: [] as string[] };
  const streams = Array.from({ length: crowd }, () => {
    const stream = open();
    let first = true;
    stream.on('metadata', () => void crew.begun++);
    stream.on('data', () => {
      if (first) crew.heard++;
      first = false;
    });
    stream.on('error', ({ message }) => {
      if (!message.includes('ancelled')) crew.dropped.push(message);
    });
    return stream;
  });
  await until('all streams', () => crew.begun === crowd || crew.dropped.length > 0, 30_000);
  expect(crew.dropped).toEqual([]);
  const end = (): void => {
    for (const stream of streams) stream.cancel();
  };
  return { crew, end };
}

test('a thousand idle WatchEditorial streams all receive a change, and readers are not slowed down', async () => {
  const client = connectGrpc(EditorialServiceService, { address: system.addresses.content });
  const { crew, end } = await openCrowd(() => client.watchEditorial({ afterCursor: '' }, asTester()));
  const answers: number[] = [];
  let reading = true;
  const reads = (async () => {
    for (let at = 0; reading; at++) {
      answers.push((await fetch(`${system.url}/api/v1/content?site=org&q=note${at}`)).status);
    }
  })();
  await archiveArticle(system, 'field-note-1');
  await until('the event', () => crew.heard === crowd || crew.dropped.length > 0, 20_000);
  reading = false;
  await reads;
  expect(crew).toEqual({ begun: crowd, heard: crowd, dropped: [] });
  expect(answers.length).toBeGreaterThan(0);
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(system.logs()).not.toContain('lost the tail of the change log');
  end();
  client.close();
});

test('a thousand idle WatchGrants and WatchContributions streams receive a change too', async () => {
  const grants = connectGrpc(GrantAdminServiceService, { address: system.addresses.identity });
  const herd = await openCrowd(() => grants.watchGrants({ afterCursor: '' }, asTester()));
  await system.issueToken('herd@example.org', []);
  await until('the event', () => herd.crew.heard === crowd || herd.crew.dropped.length > 0, 20_000);
  expect(herd.crew).toEqual({ begun: crowd, heard: crowd, dropped: [] });
  herd.end();
  grants.close();

  const moderation = connectGrpc(ModerationServiceService, { address: system.addresses.contributions });
  const other = await openCrowd(() => moderation.watchContributions({ afterCursor: '' }, asTester()));
  const prompt = { id: crypto.randomUUID(), site: Site.ORG, question: 'What did you learn of herds?', activate: true };
  await system.clients.prompts.createPrompt({ ...prompt, opensAt: undefined, closesAt: undefined }, asTester());
  await until('the event', () => other.crew.heard === crowd || other.crew.dropped.length > 0, 20_000);
  expect(other.crew).toEqual({ begun: crowd, heard: crowd, dropped: [] });
  other.end();
  moderation.close();
});
