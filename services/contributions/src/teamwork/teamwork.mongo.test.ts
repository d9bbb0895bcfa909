import { randomUUID } from 'node:crypto';
import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import { readPieces } from '@knowledge/runtime/client';
import { afterAll, expect, it } from 'vitest';
import { seedContribution } from '../testing/seed.js';
import { by, serveErasures, startReplicas } from '../testing/start-replicas.js';

let now = new Date();
const erasures = await serveErasures();
const service = await startReplicas('teamwork', { env: erasures.env, clock: () => now });
afterAll(() => erasures.close());

const notesOf = () => service.db.collection('notes');

const { record } = service.replicas[0];

it('shows who has a contribution open until it ends or lapses, and changes nothing of the contribution', async () => {
  const [first, second] = service.replicas;
  const { id, revision } = await seedContribution(service.db);
  await first.teamwork.announcePresence({ contributionId: id }, by('ann'));
  const began = now;
  now = new Date(now.getTime() + 40_000);
  const { openBy } = await second.teamwork.announcePresence({ contributionId: id }, by('$bob'));
  expect(openBy.map(({ actor }) => actor)).toEqual(['ann', '$bob']);
  now = new Date(now.getTime() + 15_000);
  await first.teamwork.announcePresence({ contributionId: id }, by('ann'));
  now = new Date(now.getTime() + 50_000);
  // Only ann has renewed her presence.
  expect((await record(id)).openBy).toEqual([{ actor: 'ann', since: began }]);
  const page = await first.moderation.listContributionRecords({ pageSize: 9, pageToken: '' }, by('bob'));
  expect(page.contributions[0]).toMatchObject({ openBy: [{ actor: 'ann' }], contribution: { revision } });
  await second.teamwork.endPresence({ contributionId: id }, by('ann'));
  expect((await record(id)).openBy).toEqual([]);
});

it('shows at most 20 people, those who came or renewed last', async () => {
  const contributionId = randomUUID();
  const { teamwork } = service.replicas[0];
  for (let at = 0; at < 25; at++) await teamwork.announcePresence({ contributionId }, by(`mod${at}`));
  const { openBy } = await teamwork.announcePresence({ contributionId }, by('mod5'));
  expect(openBy).toHaveLength(20);
  expect(openBy.map(({ actor }) => actor)).toContain('mod5');
  const come = (at: number) => service.at(at).teamwork.announcePresence({ contributionId }, by(`late${at}`));
  await Promise.all(Array.from({ length: 30 }, (_, at) => come(at)));
  const all = await service.db.collection('presence').findOne({ _id: contributionId as never });
  expect(all?.open).toHaveLength(20);
  const refused = teamwork.announcePresence({ contributionId: 'x' }, by('ann'));
  await expect(refused).rejects.toMatchObject({ code: 'not_found' });
});

it('adds a note once, even if the call arrives twice at once, and shows it only in the record', async () => {
  const { id, email } = await seedContribution(service.db);
  const note = { contributionId: id, id: randomUUID(), text: 'The author called us.' };
  const call = by('ann');
  const twice = service.replicas.map(({ teamwork }) => teamwork.addNote(note, call));
  const [one, other] = await Promise.all(twice);
  expect(one?.note).toEqual(other?.note);
  expect((await record(id)).notes).toMatchObject([{ id: note.id, author: 'ann', text: note.text }]);
  const { read, teamwork } = service.replicas[1];
  expect(JSON.stringify(await read(id, email))).not.toContain('called us');

  const refused: [object, string][] = [
    [{ text: 'Another text.' }, 'validation_error'],
    [{ id: randomUUID(), text: '' }, 'validation_error'],
    [{ id: randomUUID(), text: 'x'.repeat(2001) }, 'validation_error'],
    [{ id: 'x' }, 'validation_error'],
    [{ id: randomUUID(), contributionId: randomUUID() }, 'not_found'],
  ];
  for (const [change, code] of refused)
    await expect(teamwork.addNote({ ...note, ...change }, call)).rejects.toMatchObject({ code });
  expect(await notesOf().countDocuments({ contributionId: id })).toBe(1);
});

it('refuses the 201st note', async () => {
  const { id } = await seedContribution(service.db);
  await service.db.collection('contributions').updateOne({ _id: id as never }, { $set: { notes: 199 } });
  const add = () =>
    service.replicas[0].teamwork.addNote({ contributionId: id, id: randomUUID(), text: 'A note.' }, by('ann'));
  const ended = await Promise.allSettled([add(), add(), add()]);
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(add()).rejects.toMatchObject({ code: 'invalid_state' });
});

it('exports the notes about a person, and erases them with the person', async () => {
  const email = `${randomUUID()}@example.org`;
  const { id } = await seedContribution(service.db, { email });
  const published = await seedContribution(service.db, { email });
  const { moderation, teamwork, decide } = service.replicas[0];
  await decide(published.id, Decision.APPROVE_AND_PUBLISH);
  for (const contributionId of [id, published.id]) {
    await teamwork.addNote({ contributionId, id: randomUUID(), text: 'Jo called us.' }, by('ann'));
    now = new Date(now.getTime() + 1000);
  }
  const data = await readPieces(moderation.streamContributorExport({ email }, by('support')));
  expect(data).toMatchObject({ notes: [{ author: 'ann', text: 'Jo called us.' }, { contribution_id: published.id }] });
  const adding = Promise.allSettled(
    Array.from({ length: 10 }, () =>
      teamwork.addNote({ contributionId: id, id: randomUUID(), text: 'Jo called again.' }, by('ann')),
    ),
  );
  await moderation.eraseContributor(erasures.confirm(email), by('support'));
  await adding;
  expect(await notesOf().countDocuments({ contributionId: { $in: [id, published.id] } })).toBe(0);
});
