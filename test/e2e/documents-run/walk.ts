import type { RunFile } from '@knowledge/local';
import type { Desk } from '../../harness/desk.js';
import { call } from '../../harness/http.js';
import { until } from '../../harness/until.js';
import type { Changes, Examples } from './openapi-examples.js';

/** Data that the examples created, for the tests of failures. */
export interface Walked {
  readonly problems: string[];
  /** A token with every scope. `withdrawn` is a withdrawn contribution that this token sent. */
  readonly token: string;
  readonly withdrawn: string;
  /** A contribution whose new text this token sent. */
  readonly revised: string;
  /** The codes of a declined request: the one in the link and the device code. */
  readonly declined: { readonly code: string; readonly device_code: string };
}

/** Sends every example in a realistic order, on a system with the sample content. */
export async function walkExamples(examples: Examples, run: RunFile, desk: Desk): Promise<Walked> {
  const problems: string[] = [];
  const compare = async (id: string, status: number, changes?: Changes) => {
    const { json, problems: found } = await examples.compare(id, status, changes);
    problems.push(...found);
    return json;
  };
  const bodiesOf = (id: string) => examples.operations.get(id)?.bodies ?? {};

  for (const id of ['readAgentEntry', 'readCapabilities', 'readChangelog', 'readOpenApi']) await compare(id, 200);
  for (const id of ['search', 'listContent', 'listCurated', 'readContent', 'readOutline', 'listObjects', 'readObject'])
    await compare(id, 200);
  for (const id of ['readActivePrompt', 'readQuota']) await compare(id, 200);

  const asked = await compare('authorize', 202);
  const { device_code } = asked.token_exchange;
  await compare('exchangeToken', 202, { body: { device_code } });
  const code = await codeFor(run, asked.user_code);
  await compare('showConfirmation', 200, { parameters: { code } });
  await compare('decideConfirmation', 200, { parameters: { code } });
  const { token } = await compare('exchangeToken', 200, { body: { device_code } });
  await compare('describeToken', 200, { token });

  // Another mailbox: its No keeps this network from asking for a day, and the examples are asked again.
  const another = { ...(bodiesOf('authorize')['reading'] as object), email: 'no@example.org' };
  const reading = (await examples.ask('authorize', { body: another })).json;
  const refused = await codeFor(run, reading.user_code);
  const decline = { parameters: { code: refused }, body: bodiesOf('decideConfirmation')['decline'] };
  const { json: ended } = await examples.ask('decideConfirmation', decline);
  if (ended.authorization?.state !== 'declined') problems.push(`declining gave ${JSON.stringify(ended)}`);

  const sent = await compare('submitContribution', 201, { token });
  await compare('listContributions', 200, { token });
  const rejected: Loose = examples.operations.get('readContribution')?.answers['200'];
  const { reason } = rejected.contribution;
  await desk.json('review', 'reject', sent.contribution.id, '--reason', reason, '--yes');
  await compare('readContribution', 200, { token, parameters: { id: sent.contribution.id } });
  const again = { ...(bodiesOf('submitContribution')['story'] as object), body: 'Another text of the same title.' };
  const key = { 'Idempotency-Key': 'story-2' };
  const second = await compare('submitContribution', 201, { token, body: again, parameters: key });
  const withdrawn = second.contribution.id;
  await compare('withdrawContribution', 200, { token, parameters: { id: withdrawn } });
  const revised = await examples.ask('submitContribution', { token, parameters: { 'Idempotency-Key': 'story-3' } });
  const { id } = revised.json.contribution;
  await desk.json('review', 'request-changes', id, '--reason', 'Please say when you counted.', '--yes');
  await compare('reviseContribution', 200, { token, parameters: { id } });
  for (const type of Object.keys(bodiesOf('submitContribution')).filter((each) => each !== 'story')) {
    const parameters = { 'Idempotency-Key': type };
    const body = bodiesOf('submitContribution')[type];
    const { status, text } = await examples.ask('submitContribution', { token, parameters, body });
    if (status !== 201) problems.push(`${type}: ${status} ${text}`);
  }
  const issue = ['token', 'issue', '--email', 'jo@example.org', '--agent', 'other', '--yes'];
  const other = await desk.json<{ token: string }>(...issue);
  await compare('revokeToken', 200, { token: other.token });
  const declined = { code: refused, device_code: reading.token_exchange.device_code };
  return { problems, token, withdrawn, revised: id, declined };
}

/** Reads the confirmation code from the mail that shows this user code. The mail is in the local mailbox. */
export async function codeFor(run: RunFile, userCode: string): Promise<string> {
  return until(`the mail with ${userCode}`, async () => {
    const { json } = await call(`${run.mailbox}/api/messages`);
    const mail = json.messages.find(({ text }: Loose) => text.includes(userCode));
    const { links } = (await call(`${run.mailbox}/api/messages/${mail.id}`)).json;
    return new URL(links[0]).searchParams.get('code') ?? '';
  });
}

// biome-ignore lint/suspicious/noExplicitAny: another check compares the shape of responses with their schemas.
type Loose = any;
