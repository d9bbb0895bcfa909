import { describe, expect, test } from 'vitest';
import { accessPageLink, askForAccess, consent, contribute, freshEmail, newStory } from '../harness/agent.js';
import { articleToPut } from '../harness/articles.js';
import { deskOf } from '../harness/desk.js';
import { call, expectFailure } from '../harness/http.js';
import { asTester, sharedSystem } from '../harness/system.js';

const email = freshEmail('keys');

const system = await sharedSystem();
const desk = deskOf(system);
const { token } = await consent(system, email, { scopes: ['write:story', 'write:inquiry'] });
const link = await accessPageLink(system, email);

describe('a token or a key of ours', () => {
  test('is refused in every field of an agent, with the place and what to do', async () => {
    const written = [
      [newStory({ title: `Mine is ${token}` }), 'title must not contain a token of this service (line 1)'],
      [newStory({ body: `Our pipeline.\n\nTOKEN=${token}` }), 'body must not contain a token of this service (line 3)'],
      [newStory({ body: 'Our pipeline.', name: token }), 'name must not contain a token'],
      [newStory({ body: `Our pipeline: ${link}` }), 'own page of a human, or a code of this service (line 1)'],
      [{ type: 'inquiry', body: `Is this mine? ${token}` }, 'body must not contain a token'],
      [newStory({ body: 'Our pipeline.', language: token }), 'language'],
    ] as const;
    for (const [sent, words] of written) {
      const refused = await contribute(system, token, sent);
      expectFailure(refused, 400, 'validation_error', words);
      expect(JSON.stringify(refused.json)).not.toContain(token);
    }
    const { answer } = await askForAccess(system, freshEmail(), { agent_name: 'Atlas', purpose: `With ${token}` });
    expectFailure(answer, 400, 'validation_error', 'DELETE /api/v1/agent/token');
    const url = `${system.url}/api/v1/content/none?site=org`;
    expectFailure(await call(url, { headers: { 'x-agent-client-id': token } }), 400, 'validation_error');
    const requestId = (await call(url, { headers: { 'x-request-id': token } })).headers.get('x-request-id');
    expect(requestId).not.toBe(token);
  });

  test('is refused in the words of staff, but can be taken out of a text', async () => {
    const { contribution } = (await contribute(system, token, newStory())).json;
    const refused = [
      await desk.refused('review', 'reject', contribution.id, '--reason', `Has ${token}`, '--yes'),
      await desk.refused('review', 'note', contribution.id, '--text', `Has ${token}`),
      await desk.refused('token', 'list', '--email', email, '--reason', `asked about ${token}`),
    ];
    for (const each of refused) expect(each).toMatchObject({ error: 'validation_error' });
    const put = articleToPut({ slug: 'keys', body: `# Keys\n\nUse ${link}` });
    await expect(system.clients.editorial.putArticle(put, asTester())).rejects.toThrow(
      /^body must not contain.*line 3/,
    );
    const edit = ['review', 'edit', contribution.id, '--reason', 'a key', '--yes'];
    const removed = await desk.refused(...edit, '--remove', token);
    expect(removed.message).toContain('does not stand in it');
  });

  test('leads support to its human, and is printed nowhere', async () => {
    const found = await desk.given<unknown[]>(`I found this:\n${token}\n`, 'token', 'find');
    expect(found).toMatchObject([{ email, state: 'active' }]);
    expect(JSON.stringify(found)).not.toContain(token);
  });
});
