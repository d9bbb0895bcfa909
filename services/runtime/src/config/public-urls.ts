import type { Site } from '../site.js';
import type { Config } from './read-config.js';
import { url } from './variable.js';

/** The base URLs of the two sites, for every process that writes links. Check them with `publicUrlFaults`. */
export const publicUrlVariables = {
  PUBLIC_URL_IO: url({ default: 'http://localhost:8080', description: 'the base URL of the site io' }),
  PUBLIC_URL_ORG: url({ default: 'http://localhost:8080', description: 'the base URL of the site org' }),
};

type PublicUrls = Config<typeof publicUrlVariables>;

/** Faults in the public URLs that the type `url` does not find. `readConfig` calls it as a check. */
export function publicUrlFaults(config: PublicUrls): string[] {
  return (['PUBLIC_URL_IO', 'PUBLIC_URL_ORG'] as const).flatMap((name) => {
    const { search, hash, username } = new URL(config[name]);
    return search || hash || username ? [`${name} has a query, a fragment or a user; expected a plain base URL`] : [];
  });
}

/** The base URL of each site. */
export function publicUrls(config: PublicUrls): Readonly<Record<Site, string>> {
  return { io: config.PUBLIC_URL_IO, org: config.PUBLIC_URL_ORG };
}

/** A public URL that other machines can reach; undefined for a local start. */
export function openPublicUrl(config: PublicUrls): string | undefined {
  return [config.PUBLIC_URL_IO, config.PUBLIC_URL_ORG].find((url) => !isLocalUrl(url));
}

/** Whether a URL is on loopback. */
export function isLocalUrl(url: string): boolean {
  const host = new URL(url).hostname.toLowerCase();
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
