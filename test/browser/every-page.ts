import {
  accessPageLink,
  askForAccess,
  confirmationMail,
  confirmUrl,
  contribute,
  exchangeToken,
  freshEmail,
  newStory,
  submitForm,
} from '../harness/agent.js';
import { call, type HttpResponse } from '../harness/http.js';
import type { SeededContent } from '../harness/reading.js';
import type { System } from '../harness/system.js';

export type Pages = Readonly<Record<string, () => Promise<readonly HttpResponse[]>>>;

/** Returns all routes with pages. Each has functions that open its pages in every state, in an order that works. */
export function everyPage(system: System, { org, objectId }: SeededContent): Pages {
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
    'GET /privacy': () => site('/privacy'),
    'GET /prompts': () => site('/prompts', '/prompts?site=io'),
    'GET /search': () =>
      site(
        '/search',
        '/search?q=wombat',
        '/search?q=wombta&site=all&kind=article&tag=identity',
        '/search?q=nothinglikeit',
      ),
    'GET /tags': () => site('/tags', '/tags?site=io'),
    'GET /access/link': () => site('/access/link'),
    'POST /access/link': () =>
      Promise.all(
        [{ email }, { email: 'no address' }].map((fields) => submitForm(`${system.url}/access/link`, fields)),
      ),
    'GET /api/v1/agent/authorize/confirm': async () => {
      await ask();
      return get(state.link, `${state.link}x`, state.link.replace(/\?.*/, ''));
    },
    'POST /api/v1/agent/authorize/resend': async () => [
      await submitForm(resend(), {}),
      await submitForm(`${resend()}x`, {}),
    ],
    'POST /api/v1/agent/authorize/confirm': async () => {
      const answers = [await submitForm(state.link, { decision: 'perhaps' }), await submitForm(state.link, {})];
      const { token } = (await exchangeToken(system, state.device)).json;
      const body = '## A heading\n\n- [A link](https://example.org/)\n\n| a | b |\n|---|---|\n| 1 | |\n';
      const sent = await contribute(system, token, newStory({ body, name: 'Jo' }));
      await contribute(system, token, { type: 'inquiry', body: 'How did you do that?' });
      state.waits = sent.json.contribution.id;
      state.own = await accessPageLink(system, email);
      return [...answers, ...(await get(state.link))];
    },
    'GET /access': () => get(state.own, `${state.own}x`, `${state.own}&older=x`),
    'POST /access/mails': () =>
      Promise.all([{ receipts: 'each' }, {}].map((fields) => submitForm(underOwn('mails'), fields))),
    'POST /access/work': async () => {
      const withdraw = { id: state.waits, do: 'withdraw' };
      const answers = [
        await submitForm(underOwn('work'), withdraw),
        await submitForm(underOwn('work'), { do: 'take_down' }),
      ];
      return [...answers, await submitForm(underOwn('work'), { id: 'none', do: 'withdraw' })];
    },
    'POST /access/block': async () => [
      await submitForm(block(code()), { days: '30' }),
      await submitForm(block(key()), { days: '0' }),
      await submitForm(block(key()), { days: 'none' }),
      await submitForm(block(key()), {}),
    ],
    'POST /access': async () => [
      await submitForm(state.own, {}),
      await submitForm(state.own, { id: '' }),
      await submitForm(state.link, { decision: 'decline' }),
    ],
    // The last one, since no link works after it.
    'POST /access/links': async () => [
      await submitForm(underOwn('links'), {}),
      await submitForm(underOwn('links'), {}),
    ],
  };
}

/** Routes without pages: documents, pictures, and routes for programs. */
export const pageless: ReadonlySet<string> = new Set([
  'GET /healthz',
  'GET /readyz',
  'GET /robots.txt',
  'GET /llms.txt',
  'GET /feed.xml',
  ...['/feed', '/rss', '/rss.xml', '/atom.xml', '/index.xml'].map((path) => `GET ${path}`),
  'GET /sitemap.xml',
  'GET /favicon.ico',
  'GET /apple-touch-icon.png',
  'GET /preview.png',
  'GET /.well-known/api-catalog',
  'GET /.well-known/security.txt',
  'POST /mcp',
]);

/** Sends a request with the headers of a browser. */
async function get(...urls: readonly string[]): Promise<HttpResponse[]> {
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  return Promise.all(urls.map((url) => call(url, { headers })));
}
