import { createHash, randomBytes } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { startProvider } from './provider.js';

const issuer = 'http://provider.example:8090';
const redirectUri = 'http://localhost:8085/sign-in/callback';
const clientSecret = 's'.repeat(32);
const verifier = randomBytes(32).toString('base64url');

const provider = await startProvider({
  ...{ host: '127.0.0.1', port: 0, issuer, browserUrl: 'http://localhost:9999' },
  ...{ clientId: 'desk', clientSecret, redirectUris: [redirectUri], signedOutUris: [] },
});
afterAll(() => provider.close());

it('sends browsers to their address, and the web desk to the address at which it asked', async () => {
  const { status, json } = await ask('/.well-known/openid-configuration');
  expect(status).toBe(200);
  expect(json()).toMatchObject({
    issuer,
    authorization_endpoint: 'http://localhost:9999/auth',
    end_session_endpoint: 'http://localhost:9999/session/end',
    token_endpoint: `${provider.address}/token`,
    code_challenge_methods_supported: ['S256'],
  });
});

it('gives the name and the groups of the chosen staff member to the web desk', async () => {
  const browser = openBrowser();
  const choice = await browser.ask(authorizePath());
  expect(choice.text).toContain('Mona Moderator');
  expect(choice.text).toContain('for trying only');
  const { at } = await browser.ask(`${choice.at}/mona`, 'POST');
  expect(at).toContain(redirectUri);
  const { searchParams } = new URL(at);
  expect(searchParams.get('iss')).toBe(issuer);
  const { status, json } = await exchange(searchParams.get('code') ?? '');
  expect(status).toBe(200);
  expect(claimsOf(json()['id_token'])).toMatchObject({
    ...{ iss: issuer, aud: 'desk', nonce: 'n-1', sub: 'mona', preferred_username: 'mona' },
    ...{ name: 'Mona Moderator', email: 'mona@staff.example', groups: ['cks-moderators'] },
  });
});

it('asks again at the next sign-in of the same browser, and nobody becomes an unknown person', async () => {
  const browser = openBrowser();
  const first = await browser.ask(authorizePath());
  await browser.ask(`${first.at}/ada`, 'POST');
  const second = await browser.ask(authorizePath());
  expect(second.text).toContain('Who are you today?');
  const unknown = await browser.ask(`${second.at}/nobody`, 'POST');
  expect(unknown.text).toContain('Who are you today?');
  expect((await openBrowser().ask(second.at)).text).toContain('This sign-in has ended');
});

it('refuses another address to return to, a sign-in without PKCE and a wrong secret', async () => {
  const elsewhere = await openBrowser().ask(authorizePath({ redirect_uri: 'http://localhost:8085/elsewhere' }));
  expect(elsewhere.text).toContain('invalid_redirect_uri');
  const bare = await openBrowser().ask(authorizePath({ code_challenge: '', code_challenge_method: '' }));
  expect(bare.at).toContain('error=invalid_request');
  expect((await exchange('some-code', 'wrong')).status).toBe(401);
});

function authorizePath(changes: Record<string, string> = {}): string {
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = new URLSearchParams({
    ...{ client_id: 'desk', response_type: 'code', redirect_uri: redirectUri, scope: 'openid profile email groups' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', state: 's-1', nonce: 'n-1', ...changes },
  });
  for (const [name, value] of [...query]) if (value === '') query.delete(name);
  return `/auth?${query}`;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where the answer came from: a path of the provider, or the address that the browser was sent to. */
  readonly at: string;
  json(): Record<string, unknown>;
}

async function ask(path: string, request: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${provider.address}${path}`, { redirect: 'manual', ...request });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, at: path, json: () => JSON.parse(text) };
}

/** A browser that keeps cookies and follows redirects inside the provider. */
function openBrowser(): { ask(path: string, method?: string): Promise<Answer> } {
  const cookies = new Map<string, string>();
  return {
    ask: async (path, method = 'GET') => {
      let answer = await ask(path, { method, headers: { cookie: cookieHeader(cookies) } });
      for (;;) {
        keepCookies(cookies, answer.headers);
        const target = answer.headers.get('location');
        if (target === null) return answer;
        const { origin, pathname, search, href } = new URL(target, provider.address);
        if (origin !== provider.address) return { ...answer, at: href };
        answer = await ask(`${pathname}${search}`, { headers: { cookie: cookieHeader(cookies) } });
      }
    },
  };
}

function cookieHeader(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

function keepCookies(cookies: Map<string, string>, headers: Headers): void {
  for (const each of headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
}

function exchange(code: string, secret = clientSecret): Promise<Answer> {
  const body = new URLSearchParams({
    ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
  });
  const authorization = `Basic ${Buffer.from(`desk:${secret}`).toString('base64')}`;
  return ask('/token', { method: 'POST', headers: { authorization }, body });
}

function claimsOf(idToken: unknown): unknown {
  return JSON.parse(Buffer.from(String(idToken).split('.')[1] ?? '', 'base64url').toString());
}
