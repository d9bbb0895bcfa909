import { createHash, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { StaffRole, StaffServiceService } from '@knowledge/proto/knowledge/identity/v1/staff';
import { connectGrpc, type Role } from '@knowledge/runtime/grpc';
import { freePort } from './free-port.js';
import { type ManagedProcess, startProcess } from './managed-process.js';
import { asTester, type System } from './system.js';
import { until } from './until.js';

const built = import.meta.url.includes('/test/dist/') ? '../' : '';
const main = fileURLToPath(new URL(`${built}../../services/desk/bundle/web/main.js`, import.meta.url));

/** A real web desk beside a system, at which people sign in by codes. */
export interface WebDesk {
  readonly url: string;
  readonly process: ManagedProcess;
  /** Makes a sign-in link that works once. */
  signInLink(name: string, ...roles: Role[]): Promise<string>;
  /** Signs in, and returns a browser without scripts that keeps the cookies. */
  signIn(name: string, ...roles: Role[]): Promise<StaffBrowser>;
  close(): Promise<void>;
}

/** Starts the web desk. `env` adds variables, such as those of an OpenID provider. */
export async function startWebDesk(
  { addresses }: Pick<System, 'addresses'>,
  env: Record<string, string> = {},
): Promise<WebDesk> {
  const url = env['DESK_PUBLIC_URL'] ?? `http://127.0.0.1:${await freePort()}`;
  const running = await startProcess({
    name: 'desk',
    command: [process.execPath, main],
    env: {
      DESK_ADDRESS: new URL(url).host,
      DESK_PUBLIC_URL: url,
      CONTENT_ADDRESS: addresses.content,
      QUOTA_ADDRESS: addresses.quota,
      IDENTITY_ADDRESS: addresses.identity,
      CONTRIBUTIONS_ADDRESS: addresses.contributions,
      SIGN_IN_CODES: 'allow',
      ...env,
    },
    async ready() {
      const ready = async (): Promise<true> => {
        const answer = await fetch(`${url}/readyz`);
        if (!answer.ok) throw new Error(await answer.text());
        return true;
      };
      await until(`${url} to be ready`, ready, 90_000);
    },
  });
  const staff = connectGrpc(StaffServiceService, { address: addresses.identity, deadlineMs: 10_000 });
  const signInLink = async (name: string, ...roles: Role[]): Promise<string> => {
    const code = randomBytes(32).toString('base64url');
    const codeHash = createHash('sha256').update(code).digest('base64url');
    const wireRoles = roles.map((role) => StaffRole[role.toUpperCase() as Uppercase<Role>]);
    await staff.createSignInCode({ codeHash, name, roles: wireRoles }, asTester());
    return `${url}/sign-in?code=${code}`;
  };
  return {
    url,
    process: running,
    signInLink,
    async signIn(name, ...roles) {
      const browser = createStaffBrowser(url);
      const page = await browser.get(await signInLink(name, ...roles));
      const entered = await browser.submit(page, '/sign-in/code');
      if (entered.status !== 303) throw new Error(`The sign-in was refused: ${entered.status} ${entered.text}`);
      return browser;
    },
    async close() {
      staff.close();
      await running.close();
    },
  };
}

export interface StaffResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser without scripts: it keeps cookies, follows no redirect, and sends forms as they stand in the page. */
export interface StaffBrowser {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<StaffResponse>;
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<StaffResponse>;
  /** Sends the form of a page with this action: its hidden fields, and `fields` in place of what people type. */
  submit(page: StaffResponse, action: string, fields?: Record<string, string>): Promise<StaffResponse>;
  /** Opens a page, and sends its form with this action. */
  fillIn(path: string, fields?: Record<string, string>, action?: string): Promise<StaffResponse>;
  /** Opens the page to which an answer leads. */
  follow(answer: StaffResponse): Promise<StaffResponse>;
  /** Sends the form of a page with these files in its field `files`. */
  upload(
    page: StaffResponse,
    action: string,
    fields: Record<string, string>,
    files: readonly File[],
  ): Promise<StaffResponse>;
}

export function createStaffBrowser(url: string): StaffBrowser {
  const cookies = new Map<string, string>();
  const send = async (
    path: string,
    init: RequestInit & { headers: Record<string, string> },
  ): Promise<StaffResponse> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie !== '' && { cookie }), ...init.headers };
    const response = await fetch(new URL(path, url), { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const post: StaffBrowser['post'] = (path, fields, headers = {}) =>
    send(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  const get: StaffBrowser['get'] = (path, headers = {}) => send(path, { headers });
  const submit: StaffBrowser['submit'] = (page, action, fields = {}) =>
    post(action, { ...hiddenFields(page.text, action), ...fields });
  return {
    cookies,
    get,
    post,
    submit,
    fillIn: async (path, fields, action = path) => submit(await get(path), action, fields),
    follow: (answer) => get(pathTo(answer)),
    upload(page, action, fields, files) {
      const body = new FormData();
      for (const [name, value] of Object.entries({ ...hiddenFields(page.text, action), ...fields }))
        body.set(name, value);
      for (const file of files) body.append('files', file);
      return send(action, { method: 'POST', body, headers: {} });
    },
  };
}

/** Where an answer leads. */
export const pathTo = ({ headers }: StaffResponse): string => headers.get('location') ?? '';

/** The token with which forms of this page are sent. */
export function csrfOf({ text }: StaffResponse): string {
  return /name="_csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

/** The hidden fields of the form that posts to this action. */
function hiddenFields(html: string, action: string): Record<string, string> {
  const form = html
    .split('<form')
    .find((each) => each.includes(' method="post"') && each.includes(` action="${action}"`))
    ?.split('</form>')[0];
  if (form === undefined) throw new Error(`The page has no form for ${action}.`);
  const hidden = /<input type="hidden" name="([^"]+)" value="([^"]*)">/g;
  const kept = /<textarea id="kept-\d+" name="([^"]+)" readonly[^>]*>([^<]*)</g;
  const guards = /<select name="([^"]+)" hidden>.*?<option value="([^"]*)" selected>/gs;
  const found = [...form.matchAll(hidden), ...form.matchAll(kept), ...form.matchAll(guards)];
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]));
}
