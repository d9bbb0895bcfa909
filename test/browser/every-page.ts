import {
  askForAccess,
  confirmationMail,
  confirmUrl,
  contribute,
  exchange,
  freshEmail,
  ownPage,
  story,
  submit,
} from '../harness/agent.js';
import { type Answer, call } from '../harness/http.js';
import type { Reading } from '../harness/reading.js';
import type { System } from '../harness/system.js';

/** The pages of one route, as a browser gets them. */
export type Pages = Readonly<Record<string, () => Promise<readonly Answer[]>>>;

/** The routes that answer with pages, each with its pages in their states, in the order in which they can be asked for. */
export function everyPage(system: System, { org, objectId }: Reading): Pages {
  const email = freshEmail();
  const site = (...paths: string[]) => get(...paths.map((path) => `${system.url}${path}`));
  const state = { link: '', device: '', own: '', waits: '' };
  const ask = async (): Promise<void> => {
    state.device = (await askForAccess(system, email, { purpose: 'To try everything.' })).deviceCode;
    state.link = confirmUrl(system, await confirmationMail(system, email));
  };
  const resend = () => state.link.replace('/confirm', '/resend');
  const block = (secret: string) => `${system.url}/access/block?${secret}`;
  const underOwn = (path: string) => state.own.replace('/access', `/access/${path}`);
  const key = () => new URL(state.own).search.slice(1);
  const code = () => new URL(state.link).search.slice(1);
  return {
    'GET /': () => site('/', '/?site=io', '/?site=com'),
    'GET /about': () => site('/about', '/about?site=io'),
    'GET /articles': () => site('/articles', '/articles?tag=rollout&page=2', '/articles?q=wombat', '/articles?page=0'),
    'GET /articles/:slug': () =>
      site(`/articles/${org[0]}?site=org`, '/articles/many-parts?site=org', '/articles/none'),
    'GET /api/agent': () => site('/api/agent', '/api/agent?site=io'),
    'GET /docs': () => site('/docs', '/docs?site=io'),
    'GET /for-agents': () => site('/for-agents'),
    'GET /objects': () => site('/objects', '/objects?kind=story&site=io', '/objects?page=9'),
    'GET /objects/:id': () => site(`/objects/${objectId}`, '/objects/none'),
    'GET /prompts': () => site('/prompts', '/prompts?site=io'),
    'GET /tags': () => site('/tags', '/tags?site=io'),
    'GET /access/link': () => site('/access/link'),
    'POST /access/link': () =>
      Promise.all([{ email }, { email: 'no address' }].map((fields) => submit(`${system.url}/access/link`, fields))),
    'GET /api/v1/agent/authorize/confirm': async () => {
      await ask();
      return get(state.link, `${state.link}x`, state.link.replace(/\?.*/, ''));
    },
    'POST /api/v1/agent/authorize/resend': async () => [await submit(resend(), {}), await submit(`${resend()}x`, {})],
    'POST /api/v1/agent/authorize/confirm': async () => {
      const answers = [await submit(state.link, { decision: 'perhaps' }), await submit(state.link, {})];
      const { token } = (await exchange(system, state.device)).json;
      const body = '## A heading\n\n- [A link](https://example.org/)\n\n| a | b |\n|---|---|\n| 1 | |\n';
      const sent = await contribute(system, token, story({ body, name: 'Jo' }));
      await contribute(system, token, { type: 'inquiry', body: 'How did you do that?' });
      state.waits = sent.json.contribution.id;
      state.own = await ownPage(system, email);
      return [...answers, ...(await get(state.link))];
    },
    'GET /access': () => get(state.own, `${state.own}x`, `${state.own}&older=x`),
    'POST /access/mails': () =>
      Promise.all([{ receipts: 'each' }, {}].map((fields) => submit(underOwn('mails'), fields))),
    'POST /access/work': async () => {
      const withdraw = { id: state.waits, do: 'withdraw' };
      const answers = [await submit(underOwn('work'), withdraw), await submit(underOwn('work'), { do: 'take_down' })];
      return [...answers, await submit(underOwn('work'), { id: 'none', do: 'withdraw' })];
    },
    'POST /access/block': async () => [
      await submit(block(code()), { days: '30' }),
      await submit(block(key()), { days: '0' }),
      await submit(block(key()), { days: 'none' }),
      await submit(block(key()), {}),
    ],
    'POST /access': async () => [
      await submit(state.own, {}),
      await submit(state.own, { id: '' }),
      await submit(state.link, { decision: 'decline' }),
    ],
  };
}

/** The routes that have no pages: documents, pictures, and what is for programs. */
export const pageless: ReadonlySet<string> = new Set([
  'GET /healthz',
  'GET /readyz',
  'GET /robots.txt',
  'GET /llms.txt',
  'GET /feed.xml',
  'GET /sitemap.xml',
  'GET /favicon.ico',
  'GET /apple-touch-icon.png',
  'GET /preview.png',
  'GET /.well-known/api-catalog',
  'GET /.well-known/security.txt',
  'POST /mcp',
]);

/** Asks as a browser does. */
async function get(...urls: readonly string[]): Promise<Answer[]> {
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  return Promise.all(urls.map((url) => call(url, { headers })));
}
