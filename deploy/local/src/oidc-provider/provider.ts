import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger, escapeHtml, joinAddress, listenAt, type RunningProcess } from '@knowledge/runtime';
import Provider, { type Configuration, interactionPolicy, type JWK } from 'oidc-provider';

interface StartOptions extends ProviderOptions {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
}

/** Starts the OpenID provider for trying. */
export async function startProvider({ host, port, ...options }: StartOptions): Promise<RunningProcess> {
  const log = createLogger({ name: 'oidc-provider' });
  const provider = createProvider(options);
  provider.on('server_error', (_ctx, err) => log.error({ err }, 'a request failed'));
  const server = createServer(provider.callback());
  await listenAt(joinAddress(host, port), (at, to) => once(server.listen(to, at), 'listening'));
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { address: `http://${joinAddress(host, (server.address() as AddressInfo).port)}`, log, close };
}

interface ProviderOptions {
  /** The address under which the web desk reaches the provider. It is also the issuer in every token. */
  readonly issuer: string;
  /** The address under which browsers reach it. The two differ where browsers come through a port-forward. */
  readonly browserUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
  readonly signedOutUris: readonly string[];
}

/** Makes a real OpenID provider that lets everybody choose a made-up staff member. Its keys and sessions live in memory. */
function createProvider(options: ProviderOptions): Provider {
  const provider = new Provider(options.issuer, configuration(options));
  sendBrowsersTo(provider, options.browserUrl);
  serveChoice(provider);
  return provider;
}

function configuration({ clientId, clientSecret, redirectUris, signedOutUris }: ProviderOptions): Configuration {
  const policy = interactionPolicy.base();
  policy.get('login')?.checks.add(
    // Without this, the session of the provider would give the same staff member at each sign-in.
    new interactionPolicy.Check('choice', 'The staff member must be chosen.', ({ oidc }) => !oidc.result?.login),
  );
  const client = { client_id: clientId, client_secret: clientSecret };
  return {
    clients: [{ ...client, redirect_uris: [...redirectUris], post_logout_redirect_uris: [...signedOutUris] }],
    jwks: { keys: [signingKey()] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: ['email'], groups: ['groups'] },
    // The ID token has all claims, so that the web desk needs no further call.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource: (ctx, form) => {
          ctx.body = signOutPage(form);
        },
        postLogoutSuccessSource: (ctx) => {
          ctx.body = messagePage('Signed out', 'The session of the provider has ended.');
        },
      },
    },
    findAccount: (_ctx, id) => {
      const found = findStaffMember(id);
      if (found === undefined) return undefined;
      const names = { name: found.name, preferred_username: id, email: `${id}@staff.example` };
      return { accountId: id, claims: () => ({ sub: id, ...names, groups: [...found.groups] }) };
    },
    interactions: { policy, url: (_ctx, { uid }) => `/choice/${uid}` },
    // Nobody is asked for consent: the web desk belongs to the same house.
    loadExistingGrant: async ({ oidc }) => {
      const { accountId } = oidc.session ?? {};
      const grant = new oidc.provider.Grant({ clientId, ...(accountId !== undefined && { accountId }) });
      grant.addOIDCScope('openid profile email groups');
      await grant.save();
      return grant;
    },
    renderError: (ctx, { error, error_description }) => {
      ctx.type = 'html';
      ctx.body = messagePage(error, error_description ?? '');
    },
    ttl: { Interaction: 3600, Session: 28_800, Grant: 28_800, IdToken: 3600, AccessToken: 3600 },
  };
}

// Browsers and the web desk may need different names for the provider, so its document has both.
function sendBrowsersTo(provider: Provider, browserUrl: string) {
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.path !== '/.well-known/openid-configuration') return;
    const document = ctx.body as Record<string, unknown>;
    for (const name of ['authorization_endpoint', 'end_session_endpoint']) {
      const { pathname } = new URL(String(document[name]));
      document[name] = new URL(pathname, browserUrl).href;
    }
  });
}

function serveChoice(provider: Provider) {
  provider.use(async (ctx, next) => {
    const [, path, id = ''] = /^(\/choice\/[\w-]+)(?:\/(\w+))?$/.exec(ctx.path) ?? [];
    if (path === undefined) return next();
    ctx.set('cache-control', 'no-store');
    ctx.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
    try {
      await provider.interactionDetails(ctx.req, ctx.res);
    } catch {
      ctx.status = 400;
      ctx.body = messagePage('This sign-in has ended', 'Begin again at the web desk.');
      return;
    }
    const chosen = ctx.method === 'POST' ? findStaffMember(id) : undefined;
    if (chosen === undefined) {
      ctx.body = choicePage(path);
      return;
    }
    const target = await provider.interactionResult(ctx.req, ctx.res, { login: { accountId: chosen.id } });
    ctx.status = 303;
    ctx.redirect(target);
  });
}

function signingKey(): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  // A new key id makes clients read the keys again after a restart.
  return {
    ...(privateKey.export({ format: 'jwk' }) as JWK),
    use: 'sig',
    alg: 'RS256',
    kid: randomBytes(8).toString('hex'),
  };
}

/** The page on which somebody chooses who to be. Each button sends a form to the path of the sign-in. */
function choicePage(path: string) {
  const buttons = staff.map(
    ({ id, name, groups }) => `<form method="post" action="${escapeHtml(path)}/${escapeHtml(id)}">
<button>${escapeHtml(name)}</button> <span>${escapeHtml(groups.join(', ') || 'in no group')}</span></form>`,
  );
  return page('Who are you today?', `<p>${warning}</p>${buttons.join('\n')}`);
}

/** The page that asks whether to sign out. The form is the provider's own. */
function signOutPage(form: string) {
  const button = '<button type="submit" form="op.logoutForm" value="yes" name="logout">Sign out</button>';
  return page('Sign out of the OpenID provider?', `<p>${warning}</p>${form}${button}`);
}

function messagePage(title: string, text: string) {
  return page(title, `<p>${escapeHtml(text)}</p><p>${warning}</p>`);
}

const warning =
  'This provider is for trying only: nobody here is real, and everybody who reaches it may be any of them.';

/** The style of all pages. The pages need no script. */
const style = `:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 0 auto; padding: 2rem 1rem; }
form { margin: .5rem 0; } button { font: inherit; min-width: 14rem; padding: .5rem; }`;

function page(title: string, body: string) {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>
`;
}

/** A made-up staff member, who needs no password. */
interface StaffMember {
  readonly id: string;
  readonly name: string;
  readonly groups: readonly string[];
}

/** One staff member for each role of the web desk, and one without any. */
const staff: readonly StaffMember[] = [
  { id: 'rosa', name: 'Rosa Reader', groups: ['cks-readers'] },
  { id: 'samir', name: 'Samir Support', groups: ['cks-support'] },
  { id: 'mona', name: 'Mona Moderator', groups: ['cks-moderators'] },
  { id: 'edda', name: 'Edda Editor', groups: ['cks-editors'] },
  { id: 'ada', name: 'Ada Administrator', groups: ['cks-admins'] },
  { id: 'nils', name: 'Nils Nobody', groups: [] },
];

function findStaffMember(id: string) {
  return staff.find((each) => each.id === id);
}
