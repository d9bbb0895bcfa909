import { ContributionState, EditDecision } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import { readPieces } from '@knowledge/runtime/client';
import { expect, it } from 'vitest';
import { seedContribution } from '../testing/seed.js';
import { by, startReplicas } from '../testing/start-replicas.js';

const service = await startReplicas('edits');

const email = 'jo@example.org';

async function published(): Promise<string> {
  const { id } = await seedContribution(service.db, { email });
  await service.replicas[0].decide(id, Decision.APPROVE_AND_PUBLISH);
  return id;
}

async function propose(id: string, title: string, replica: 0 | 1 = 0): Promise<number> {
  const edit = { id, expectedRevision: 0, title, reason: 'Clearer.', remove: [], forgetBefore: false };
  const { contribution } = await service.replicas[replica].moderation.editContribution(edit, by());
  return contribution?.contribution?.proposedEdit?.revision ?? 0;
}

function decide(id: string, revision: number, decision: EditDecision, replica: 0 | 1 = 0, call = by()) {
  return service.replicas[replica].contributions.decideEdit({ email, id, revision, decision }, call);
}

const { read } = service.replicas[1];

it('takes one of a yes, a no, another proposal and a take-down at once, and never words that were not agreed to', async () => {
  for (let round = 0; round < 12; round++) {
    const id = await published();
    const revision = await propose(id, 'The proposed title');
    const [yes, no, other, down] = await Promise.allSettled([
      decide(id, revision, EditDecision.ACCEPT, 0),
      decide(id, revision, EditDecision.DECLINE, 1),
      propose(id, 'Another title', 1),
      service.replicas[0].contributions.takeDownContribution({ email, id }, by()),
    ]);
    expect([yes, no].filter(({ status }) => status === 'fulfilled').length).toBeLessThan(2);
    const now = await read(id);
    expect(now.title).toBe(yes?.status === 'fulfilled' ? 'The proposed title' : 'What we learned');
    if (down?.status === 'fulfilled')
      expect(now).toMatchObject({ state: ContributionState.RETRACTED, proposedEdit: undefined });
    else expect(other?.status).toBe('fulfilled');
  }
});

it('recognises a repeated yes, and keeps the old words out of reach of an old link', async () => {
  const id = await published();
  const revision = await propose(id, 'The proposed title');
  const call = by('');
  const first = await decide(id, revision, EditDecision.ACCEPT, 0, call);
  expect((await decide(id, revision, EditDecision.ACCEPT, 1, call)).contribution).toEqual(first.contribution);
  const late = decide(id, revision, EditDecision.DECLINE);
  await expect(late).rejects.toMatchObject({ code: 'invalid_state' });
  const { history, textChanges } = await read(id);
  expect(history.map(({ edit }) => edit)).toEqual(['', '', '', 'proposed', 'agreed']);
  expect(textChanges).toMatchObject([{ by: 'moderator', fields: ['title'], reason: 'Clearer.' }]);
  for (const decision of [EditDecision.UNSPECIFIED, 'LATER' as EditDecision]) {
    await expect(decide(id, revision, decision)).rejects.toMatchObject({ code: 'validation_error' });
  }
});

it('shows a proposal to moderators and in the export of the person', async () => {
  const id = await published();
  await propose(id, 'The proposed title');
  const [{ moderation, record }] = service.replicas;
  const { contribution, mails } = await record(id);
  expect(contribution).toMatchObject({ proposedEdit: { text: { title: 'The proposed title' } } });
  expect(mails.map(({ purpose }) => purpose)).toEqual(['published', 'edit_proposed']);
  const data = await readPieces(moderation.streamContributorExport({ email }, by()));
  const exported = (data as { contributions: { id: string }[] }).contributions.find((each) => each.id === id);
  expect(exported).toMatchObject({ proposed_edit: { title: 'The proposed title', actor: 'mod', reason: 'Clearer.' } });
});
