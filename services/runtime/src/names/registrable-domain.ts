import { getDomain } from 'tldts';

/**
 * The domain that somebody registers, with all those below it: `wave.co.uk` for `a.b.wave.co.uk`. With `private` also
 * below the domain of a provider: `wave.github.io`.
 */
export function registrableDomain(host: string, below: 'public' | 'private' = 'public'): string {
  return getDomain(host, { allowPrivateDomains: below === 'private' }) ?? host;
}
