import { KnowledgeError } from '@knowledge/runtime';
import type { Role } from '@knowledge/runtime/grpc';
import * as oidc from 'openid-client';
import { type DeskConfig, readGroupRoles, rolesOfGroups } from './config.js';

/** What a sign-in remembers until the provider answers. */
export interface SignInFlow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The path of the page to show afterwards. */
  readonly next: string;
}

/** A person whom the provider has named. */
export interface NamedPerson {
  readonly name: string;
  readonly displayName: string;
  readonly email: string;
  readonly roles: readonly Role[];
}

/** The OpenID provider of the staff (authorization code with PKCE, state and nonce). */
export type OpenIdProvider = NonNullable<ReturnType<typeof createProvider>>;

const foundAgainMs = 3_600_000;
const timeoutSeconds = 5;

/** Makes the provider of the configuration; undefined without one. It is asked for its addresses at the first sign-in. */
export function createProvider(config: DeskConfig) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id = '', OIDC_CLIENT_SECRET: secret, DESK_PUBLIC_URL } = config;
  if (issuer === undefined) return undefined;
  const groupRoles = readGroupRoles(config.OIDC_ROLES);
  const redirect_uri = new URL('/sign-in/callback', DESK_PUBLIC_URL).href;
  const found = keepFor(foundAgainMs, () =>
    oidc.discovery(new URL(issuer), id, secret, undefined, {
      timeout: timeoutSeconds,
      execute: issuer.startsWith('https:') ? [] : [oidc.allowInsecureRequests],
    }),
  );

  return {
    /** The host name of the provider, for people. */
    host: new URL(issuer).host,
    /** Begins a sign-in: the address at the provider, and what to remember. */
    async begin(next: string) {
      const provider = await answered(found);
      const flow = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
        next,
      };
      const url = oidc.buildAuthorizationUrl(provider, {
        redirect_uri,
        scope: scopesOf(provider),
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, flow };
    },
    /** Finishes a sign-in with the address to which the provider sent the browser. */
    async finish(answer: URL, { state, nonce, verifier }: SignInFlow): Promise<NamedPerson> {
      const provider = await answered(found);
      const claims = await answered(async () => {
        const tokens = await oidc.authorizationCodeGrant(provider, answer, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const own: Record<string, unknown> & { sub: string } = tokens.claims() ?? { sub: '' };
        if (own[config.OIDC_ROLES_CLAIM] !== undefined || provider.serverMetadata().userinfo_endpoint === undefined)
          return own;
        return { ...own, ...(await oidc.fetchUserInfo(provider, tokens.access_token, own.sub)) };
      });
      return personOf(claims, rolesOfGroups(claims[config.OIDC_ROLES_CLAIM], groupRoles));
    },
    /** The address that ends the session of the provider; undefined if it has none. */
    async signOutUrl() {
      const provider = await answered(found);
      if (provider.serverMetadata().end_session_endpoint === undefined) return undefined;
      return oidc.buildEndSessionUrl(provider, { post_logout_redirect_uri: new URL('/', DESK_PUBLIC_URL).href }).href;
    },
  };
}

/** The provider refused, or sent what does not belong to this sign-in. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
}

// The name is stored as the actor of changes. People must not be able to choose it at the provider.
function personOf(claims: Readonly<Record<string, unknown>>, roles: readonly Role[]): NamedPerson {
  const text = (claim: string) => {
    const value = claims[claim];
    return typeof value === 'string' ? value.slice(0, 200) : '';
  };
  const name = text('preferred_username') || text('name') || text('sub');
  return { name, displayName: text('name'), email: text('email'), roles };
}

function scopesOf(provider: oidc.Configuration) {
  const supported = provider.serverMetadata().scopes_supported ?? ['profile', 'email'];
  return ['openid', ...['profile', 'email', 'groups'].filter((scope) => supported.includes(scope))].join(' ');
}

/** Runs a request to the provider. A refusal becomes `SignInRefused`, silence `unavailable`. */
async function answered<Value>(ask: () => Promise<Value>) {
  try {
    return await ask();
  } catch (error) {
    const refused =
      error instanceof oidc.AuthorizationResponseError ||
      error instanceof oidc.ResponseBodyError ||
      (error instanceof oidc.ClientError && error.code?.startsWith('OAUTH_') && error.code !== 'OAUTH_TIMEOUT');
    if (refused) throw new SignInRefused('The provider did not confirm the sign-in.', { cause: error });
    throw new KnowledgeError('unavailable', 'The sign-in provider does not answer.', { cause: error });
  }
}

/** Keeps what a function found for a time. A failure is not kept. */
function keepFor<Value>(ms: number, find: () => Promise<Value>) {
  let kept: { readonly value: Promise<Value>; readonly until: number } | undefined;
  return () => {
    if (kept === undefined || kept.until < Date.now()) {
      const value = find();
      kept = { value, until: Date.now() + ms };
      value.catch(() => {
        kept = undefined;
      });
    }
    return kept.value;
  };
}
