import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Desk } from '../../harness/desk.js';
import { root } from './blocks.js';
import type { Changes, Examples } from './openapi-examples.js';
import type { Walked } from './walk.js';

/** Error codes that only a broken system, or one with two hosts, sends. Other tests check them. */
const elsewhere = new Set(['misdirected_request', 'request_timeout', 'unavailable', 'internal_error']);
/** Failures that other tests check: they need an expired code, a renewal with fewer scopes, or a block since. */
const notHere = new Set([
  ...['decideConfirmation rate_limited', 'reviseContribution insufficient_scope'],
  'reviseContribution writes_blocked',
]);
/** Error codes of HTTP itself. They are the same for every operation, so they are checked once. */
const ofHttp = new Set(['bad_request', 'uri_too_long', 'headers_too_large']);

/**
 * Causes every documented failure of every operation. Lists the differences from the examples, and failures that it
 * could not cause.
 */
export async function provokeFailures(examples: Examples, walked: Walked, desk: Desk): Promise<string[]> {
  const problems: string[] = [];
  const met = new Set<string>();
  const provoke = async (id: string, code: string, changes: Changes = {}): Promise<void> => {
    met.add(`${id} ${code}`);
    problems.push(...(await examples.compareFailure(id, code, changes)));
  };
  const { token, declined, withdrawn, revised } = walked;
  const bad = `cks_${'0'.repeat(43)}2CZclj`;

  for (const { id, auth, bodies, messages } of examples.operations.values()) {
    const sender = auth === 'none' ? {} : { token };
    if (messages['validation_error']?.startsWith('site:'))
      await provoke(id, 'validation_error', { ...sender, parameters: { site: 'com' } });
    if (auth === 'bearer') await provoke(id, 'missing_token');
    if (auth === 'optional') await provoke(id, 'missing_token', { headers: { authorization: 'Basic eDp5' } });
    if (auth !== 'none') await provoke(id, 'invalid_token', { token: bad });
    if (Object.keys(bodies).length === 0) continue;
    await provoke(id, 'invalid_body', { ...sender, raw: '{' });
    await provoke(id, 'payload_too_large', { ...sender, raw: ' '.repeat(140_000) });
    await provoke(id, 'unsupported_media_type', { ...sender, headers: { 'content-type': 'text/plain' } });
  }
  await provoke('readContent', 'bad_request', { parameters: { slug: '%ff' } });
  await provoke('readContent', 'uri_too_long', { parameters: { q: 'x'.repeat(9_000) } });
  await provoke('readContent', 'headers_too_large', { headers: { 'x-filler': 'x'.repeat(17_000) } });

  await provoke('search', 'validation_error', { parameters: { limit: '500' } });
  await provoke('listContent', 'validation_error', { parameters: { limit: '500' } });
  await provoke('listObjects', 'validation_error', { parameters: { kind: 'poem' } });
  for (const id of ['readContent', 'readQuota']) {
    await provoke(id, 'validation_error', { parameters: { 'X-Agent-Client-Id': '' } });
  }
  await provoke('readContent', 'not_found', { parameters: { slug: 'rollout-sso' } });
  await provoke('readOutline', 'not_found', { parameters: { slug: 'rollout-sso' } });
  await provoke('readContent', 'invalid_state', { parameters: await partOfEarlierRevision(examples, desk) });
  const reader = { parameters: { 'X-Agent-Client-Id': 'a-reader-without-end' } };
  for (let read = 0; read < 3; read += 1) await examples.ask('readContent', reader);
  await provoke('readContent', 'read_quota_exceeded', reader);
  const nobody = { parameters: { id: '00000000-0000-4000-8000-000000000000' } };
  await provoke('readObject', 'not_found', nobody);
  await provoke('readActivePrompt', 'not_found', { parameters: { site: 'io' } });

  const address = 'often@example.org';
  await provoke('authorize', 'validation_error', { body: { email: address } });
  const often = { body: { email: address, agent_name: 'Eager' } };
  for (let asked = 0; asked < 4; asked += 1) await examples.ask('authorize', often);
  const { device_code } = (await examples.ask('authorize', often)).json.token_exchange;
  await provoke('authorize', 'rate_limited', often);
  const again = { headers: { 'idempotency-key': 'a-key-of-at-least-22-characters' } };
  const one = { email: 'again@example.org', agent_name: 'Atlas' };
  await examples.ask('authorize', { ...again, body: one });
  await provoke('authorize', 'idempotency_conflict', { ...again, body: { ...one, agent_name: 'Other' } });
  for (const id of ['showConfirmation', 'decideConfirmation']) {
    await provoke(id, 'missing_code', { parameters: { code: undefined } });
    await provoke(id, 'invalid_or_expired_code', { parameters: { code: 'of.nothing' } });
  }
  const decided = { parameters: { code: declined.code } };
  await provoke('decideConfirmation', 'validation_error', { ...decided, body: { decision: 'maybe' } });
  await provoke('decideConfirmation', 'invalid_state', { ...decided, body: { decision: 'confirm' } });
  await provoke('exchangeToken', 'validation_error', { body: {} });
  await provoke('exchangeToken', 'invalid_or_expired_code', { body: { device_code: 'of.nothing' } });
  await provoke('exchangeToken', 'authorization_denied', { body: { device_code: declined.device_code } });
  await examples.ask('exchangeToken', { body: { device_code } });
  await provoke('exchangeToken', 'rate_limited', { body: { device_code } });

  const own = (changes: Changes): Changes => ({ token, ...changes });
  const story = { type: 'story', title: 'A title', body: 'Ten characters and more.' };
  const plain = { 'Idempotency-Key': undefined };
  const send = (body: object, parameters: Changes['parameters'] = plain) => own({ body, parameters });
  await provoke('submitContribution', 'validation_error', send({ type: 'story', body: 'short' }));
  await provoke('submitContribution', 'site_restriction', send({ ...story, site: 'io' }));
  const asker = await issue(desk, 'asker@example.org', '--scope', 'write:inquiry');
  await provoke('submitContribution', 'insufficient_scope', { ...send(story), token: asker });
  const blocked = await issue(desk, 'blocked@example.org', '--scope', 'write:story');
  await desk.json('person', 'block', '--email', 'blocked@example.org', '--reason', 'spam', '--yes');
  await provoke('submitContribution', 'writes_blocked', { ...send(story), token: blocked });
  await provoke('submitContribution', 'idempotency_conflict', send(story, { 'Idempotency-Key': 'story-2' }));
  await provoke('submitContribution', 'rate_limited', { ...send(questions(20)), token: await usedUp(examples, asker) });
  await provoke('listContributions', 'validation_error', own({ parameters: { limit: '500' } }));
  for (let asked = 0; asked < 120; asked += 1) await examples.ask('listContributions', { token: blocked });
  await provoke('listContributions', 'rate_limited', { token: blocked });
  for (const id of ['readContribution', 'reviseContribution', 'withdrawContribution'])
    await provoke(id, 'not_found', own(nobody));
  const newText = { title: 'A title', body: 'Ten characters and more.' };
  const revise = (id: string, body: object = newText) => own({ parameters: { id }, body });
  await provoke('reviseContribution', 'validation_error', revise(revised, { body: 'short' }));
  await provoke('reviseContribution', 'idempotency_conflict', revise(revised));
  await provoke('reviseContribution', 'invalid_state', revise(withdrawn));
  const rejected = { id: await reject(examples, desk, own({})) };
  await provoke('withdrawContribution', 'invalid_state', own({ parameters: rejected }));
  const stale = { parameters: rejected, headers: { 'if-match': '"1"' } };
  await provoke('withdrawContribution', 'precondition_failed', own(stale));
  await provoke('reviseContribution', 'precondition_failed', own({ ...stale, body: newText }));
  const reply = { type: 'prompt_reply', body: 'We wrote it down and kept it.' };
  await withoutPrompt(desk, () => provoke('submitContribution', 'no_active_prompt', send(reply)));

  const documented = [...examples.operations.values()].flatMap(({ id, messages }) =>
    Object.keys(messages).flatMap((code) => (elsewhere.has(code) || ofHttp.has(code) ? [] : [`${id} ${code}`])),
  );
  const unmet = documented.filter((each) => !met.has(each) && !notHere.has(each));
  return [...problems, ...unmet.map((each) => `${each} is documented and was not provoked`)];
}

// Reads a part of an article, which then changes. Gives the parameters that ask for the rest.
async function partOfEarlierRevision(examples: Examples, desk: Desk): Promise<Record<string, string>> {
  const slug = 'deleting-eleven-terabytes';
  const reader = { 'X-Agent-Client-Id': 'a-reader-of-parts', slug };
  const { json } = await examples.ask('readContent', { parameters: { ...reader, max_tokens: '200' } });
  const directory = mkdtempSync(join(tmpdir(), 'knowledge-article-'));
  try {
    const file = join(directory, `${slug}.md`);
    cpSync(join(root, `deploy/local/sample/org/articles/${slug}.md`), file);
    appendFileSync(file, '\nA year later we deleted two more.\n');
    await desk.json('article', 'import', directory, '--site', 'org', '--publish', '--overwrite', '--yes');
  } finally {
    rmSync(directory, { recursive: true });
  }
  return { ...reader, ...Object.fromEntries(new URL(json.continuation).searchParams) };
}

async function issue(desk: Desk, email: string, ...options: string[]): Promise<string> {
  const issued = ['token', 'issue', '--email', email, '--agent', 'test', '--yes', ...options];
  return (await desk.json<{ token: string }>(...issued)).token;
}

const questions = (at: number) => ({ type: 'inquiry', body: `Which of your alerts did you delete? ${at}` });

// Uses all twenty contributions of a day.
async function usedUp(examples: Examples, token: string): Promise<string> {
  const parameters = { 'Idempotency-Key': undefined };
  await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      examples.ask('submitContribution', { token, parameters, body: questions(at) }),
    ),
  );
  return token;
}

async function reject(examples: Examples, desk: Desk, own: Changes): Promise<string> {
  const parameters = { 'Idempotency-Key': undefined };
  const story = { type: 'story', title: 'Another title', body: 'Ten other characters and more.' };
  const { contribution } = (await examples.ask('submitContribution', { ...own, parameters, body: story })).json;
  await desk.json('review', 'reject', contribution.id, '--reason', 'Off topic', '--yes');
  return contribution.id;
}

async function withoutPrompt(desk: Desk, act: () => Promise<void>): Promise<void> {
  const prompts = await desk.json<{ id: string; question: string; state: string }[]>('prompt', 'list', '--site', 'org');
  const active = prompts.find(({ state }) => state === 'active');
  await desk.json('prompt', 'close', active?.id ?? '', '--yes');
  await act();
  await desk.json('prompt', 'create', '--site', 'org', '--question', active?.question ?? '', '--activate', '--yes');
}
