import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import type { Document } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { accessPageLink, consent, contribute } from '../harness/agent.js';
import { articleToPut } from '../harness/articles.js';
import { deskOf } from '../harness/desk.js';
import { call, freshReader } from '../harness/http.js';
import { anyValue, fieldsOf } from '../harness/message-fields.js';
import { asTester, sharedSystem } from '../harness/system.js';
import { optionalFields } from './stored-fields.js';

/** The places that show a contribution. A place is an object with field names, or a text. */
const places = ['answer', 'status', 'list', 'OpenAPI', 'human', 'desk --json', 'desk', 'export'] as const;
type Place = (typeof places)[number];
/** The reason why a place does not show a field, or under which name or words it does. */
type Exceptions = Record<string, Partial<Record<Place, string | { under: string } | { shown: string }>>>;

const later = 'is in the status, not in what says that it was taken';
/** What an agent sends. */
const sentExceptions: Exceptions = {
  type: { human: { shown: 'Story on' } },
  site: { human: { shown: 'on Organisation' } },
  body: { answer: later },
  name: { answer: later },
  language: { answer: later },
  purpose: { human: { shown: 'Proposed correction' } },
  prompt_id: { human: { shown: 'What did it cost?' }, export: { under: 'prompt' } },
};

const forHuman = 'is for the page of its human';
/** What services add. */
const addedExceptions: Exceptions = {
  prompt_question: { status: 'is read with the prompt', export: { under: 'prompt' } },
  revision: { status: 'is its ETag' },
  agent_name: { status: 'is known to the agent' },
  authorization_id: { status: 'is known to the agent' },
  shown_name: { status: forHuman, 'desk --json': 'follows from the name', export: 'follows from the name' },
  history: { status: forHuman, export: { under: 'transitions' } },
  undoable_edit: { status: forHuman, 'desk --json': forHuman, export: { under: 'text_changes' } },
  shown_revision: { status: forHuman, 'desk --json': { under: 'published_revision' }, export: forHuman },
  erases_at: { status: forHuman },
  changes_due_at: { export: 'follows from the time of the decision' },
};

const commands = new Set(['contributor', 'id', 'idempotency_key', 'payload_hash']);
const sentFields = fieldsOf('SubmitContributionRequest', 'contributions').filter(({ name }) => !commands.has(name));
const ownFields = fieldsOf('Contribution', 'contributions');

const promptId = randomUUID();
const known: Readonly<Record<string, Record<string, string>>> = {
  story: { type: 'story', site: 'org', title: 'Zebra title', body: 'Quokka body.', name: 'Nadia F', language: 'de' },
  inquiry: { type: 'inquiry', body: 'Okapi body.', purpose: 'correction', about: '/articles/told-about?site=org' },
  prompt_reply: { type: 'prompt_reply', body: 'Tapir body.', prompt_id: promptId },
};
const others = sentFields.filter(({ name }) => !Object.values(known).some((each) => name in each));
/** A story has the fields without a sample of their own. */
const samples: typeof known = {
  ...known,
  story: { ...known['story'], ...Object.fromEntries(others.map((field) => [field.name, String(anyValue(field, 1))])) },
};
/** What tells a value where it is not shown as it was sent. */
const tells: Readonly<Record<string, string>> = { about: 'told-about' };

const answers: Record<string, Document> = {};
const shown: Record<string, Record<Place, Document | string>> = {};

const system = await sharedSystem();
const { editorial, prompts } = system.clients;
await editorial.putArticle(articleToPut({ slug: 'told-about', publish: true }), asTester());
const question = 'What did it cost?';
await prompts.createPrompt(
  { id: promptId, site: Site.ORG, question, opensAt: undefined, closesAt: undefined, activate: true },
  asTester(),
);
const desk = deskOf(system);
const { token, email } = await consent(system);
const own = { headers: { authorization: `Bearer ${token}` } };
for (const [type, sent] of Object.entries(samples))
  answers[type] = (await contribute(system, token, sent)).json.contribution;
const { entries } = (await call(`${system.url}/api/v1/contributions`, own)).json;
const { components } = (await call(`${system.url}/api/v1/openapi.json`, { headers: freshReader() })).json;
const page = (await call(await accessPageLink(system, email))).text;
const exported = await desk.json<Document>('person', 'export', '--email', email, '--reason', 'asked');
for (const [type, { id }] of Object.entries(answers)) {
  const isOwn = (each: Document) => each['id'] === id;
  shown[type] = {
    answer: answers[type] ?? {},
    status: (await call(`${system.url}/api/v1/contributions/${id}`, own)).json.contribution,
    list: entries.find(isOwn),
    OpenAPI: components.schemas.ContributionStatus.properties,
    human: page.split(`<h3 id="sent-${id}"`)[1]?.split('<h3')[0] ?? '',
    'desk --json': await desk.json('review', 'show', id),
    desk: (await desk.run('review', 'show', id)).stdout,
    export: exported['contributions'].contributions.find(isOwn),
  };
}

describe.each(sentFields)('the field $name that an agent sends', ({ name }) => {
  test.each(places)('is shown in: %s', (place) => {
    const [type = '', sample] = Object.entries(samples).find(([, each]) => name in each) ?? [];
    const exception = sentExceptions[name]?.[place];
    if (typeof exception === 'string') return;
    const where = shown[type]?.[place] ?? '';
    const value = tells[name] ?? sample?.[name];
    const under = exception && 'under' in exception ? exception.under : name;
    if (place === 'OpenAPI') expect(where).toHaveProperty(under);
    else if (typeof where === 'string')
      expect(where).toContain(exception && 'shown' in exception ? exception.shown : value);
    else expect(JSON.stringify(where[under])).toContain(value);
  });
});

describe.each(ownFields)('the field $name of a contribution', ({ name }) => {
  test.each(['status', 'OpenAPI', 'desk --json', 'export'] as const)('is in: %s', (place) => {
    const exception = { ...sentExceptions, ...addedExceptions }[name]?.[place === 'OpenAPI' ? 'status' : place];
    if (typeof exception === 'string') return;
    // Fields of one kind are absent from others.
    const all = Object.values(shown).map((each) => each[place] as Document);
    const under = exception && 'under' in exception ? exception.under : name;
    expect(all.some((each) => under in each)).toBe(true);
  });
});

test('a contribution that was stored before a field was added has a value for it', async () => {
  const db = system.db('contributions');
  const added = await optionalFields(db, 'contributions');
  const { id } = answers['story'] as Document;
  const before = await typesOf(id);
  const { modifiedCount } = await db
    .collection<{ _id: string }>('contributions')
    .updateOne({ _id: id }, { $unset: Object.fromEntries(added.map((name) => [name, ''])) });
  expect(modifiedCount).toBe(1);
  expect(await typesOf(id)).toEqual(before);
});

async function typesOf(id: string): Promise<Record<string, string>> {
  const { contribution } = await system.clients.moderation.getContributionRecord({ id }, asTester());
  return Object.fromEntries(
    Object.entries(contribution?.contribution ?? {}).map(([name, value]) => [name, typeof value]),
  );
}
