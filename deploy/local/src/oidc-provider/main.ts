import { integer, list, readConfig, runMain, string, url } from '@knowledge/runtime';
import { startProvider } from './provider.js';

await runMain(async (env) => {
  const config = readConfig(env, {
    OIDC_PROVIDER_HOST: string({ default: '127.0.0.1' }),
    OIDC_PROVIDER_PORT: integer({ min: 0, max: 65_535, default: 8090 }),
    OIDC_ISSUER: url({ default: 'http://localhost:8090', description: 'where the web desk reaches it' }),
    OIDC_BROWSER_URL: url({ optional: true, description: 'where browsers reach it, if not at OIDC_ISSUER' }),
    OIDC_CLIENT_ID: string({ default: 'desk' }),
    OIDC_CLIENT_SECRET: string({ secret: true, min: 32, description: 'what the web desk proves itself with' }),
    OIDC_REDIRECT_URIS: list({ accepts: URL.canParse, of: 'URLs', description: 'where a browser returns with a code' }),
    OIDC_SIGNED_OUT_URIS: list({
      accepts: URL.canParse,
      of: 'URLs',
      description: 'where it returns without a session',
    }),
  });
  return startProvider({
    host: config.OIDC_PROVIDER_HOST,
    port: config.OIDC_PROVIDER_PORT,
    issuer: config.OIDC_ISSUER,
    browserUrl: config.OIDC_BROWSER_URL ?? config.OIDC_ISSUER,
    clientId: config.OIDC_CLIENT_ID,
    clientSecret: config.OIDC_CLIENT_SECRET,
    redirectUris: config.OIDC_REDIRECT_URIS,
    signedOutUris: config.OIDC_SIGNED_OUT_URIS,
  });
});
