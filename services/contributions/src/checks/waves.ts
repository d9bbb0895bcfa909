import { hash } from 'node:crypto';
import { isLargeProvider, mailboxOf } from '@knowledge/runtime';
import { registrableDomain } from '@knowledge/runtime/names';
import { type BackgroundCheck, counted, type ReadText, type Wave } from './check.js';

/** What the texts of a wave have in common. */
type WaveKind = 'link' | 'mail' | 'network' | 'text';

/** How many texts of a wave are counted. */
export const mostCounted = 500;

const dayMs = 86_400_000;

/** How far from a text the others of its wave were sent, before it or after it. */
export function waveSpanMs(key: string): number {
  return kindOf(key) === 'mail' || kindOf(key) === 'network' ? dayMs : 7 * dayMs;
}

/** The keys of the first ten sites to which a text links, without `ownHosts` and those that everybody links to. */
export function linkWaves({ hosts }: Pick<ReadText, 'hosts'>, ownHosts: ReadonlySet<string>): string[] {
  const domains = hosts.filter((host) => !ownHosts.has(host)).map(domainOf);
  const unusual = [...new Set(domains)].filter((domain) => !linkedByAll.has(domain));
  return unusual.slice(0, 10).map((domain) => `link:${domain}`);
}

/** The key of the mail domain of a human; none for a provider at which strangers have mailboxes. */
export function mailWaves(email: string): string[] {
  const domain = domainOf(email.replace(/^.*@/, ''));
  return email === '' || isLargeProvider(domain) ? [] : [`mail:${domain}`];
}

/** The key of a network. Of the network only a hash is stored. */
export function networkWave(network: string): string {
  return `network:${hash('sha256', network, 'base64url').slice(0, 22)}`;
}

/** Whether a key is of one of these kinds. */
export function isWaveOf(key: string, ...kinds: readonly WaveKind[]): boolean {
  return kinds.some((kind) => kindOf(key) === kind);
}

/** How many mailboxes these addresses are. */
export function countHumans(emails: readonly string[]): number {
  return new Set(emails.map(mailboxOf)).size;
}

const domainOf = (host: string) => registrableDomain(host, 'private');
const kindOf = (key: string) => key.slice(0, key.indexOf(':'));

/** Finds that many recent texts link to the same site. */
export const waveLink = waveOf('link', 'texts', 5, 15, (count, site, { humans }) => {
  return `${counted(count, 'text')} of ${counted(humans, 'human')} within 7 days link to ${site}`;
});

/** Finds that many humans of one mail domain are new. */
export const waveMail = waveOf('mail', 'humans', 5, 15, (count, domain) => `${count} new humans of ${domain} in a day`);

/** Finds that the agents of many new humans send from one network. */
export const waveNetwork = waveOf('network', 'humans', 5, 10, (count) => `${count} new humans in a day, one network`);

/** Finds that many recent texts are nearly equal. */
export const waveText = waveOf('text', 'texts', 4, 15, (count, _, { humans }) => {
  return `${count} nearly equal texts of ${counted(humans, 'human')} within 7 days`;
});

// Three times as many are no chance.
function waveOf(
  kind: WaveKind,
  what: 'texts' | 'humans',
  least: number,
  weight: number,
  words: (count: number, value: string, wave: Wave) => string,
): BackgroundCheck {
  return ({ waves }) => {
    const [most] = waves.filter(({ key }) => isWaveOf(key, kind)).sort((one, other) => other[what] - one[what]);
    if (most === undefined || most[what] < least) return undefined;
    const text = words(most[what], most.key.slice(kind.length + 1).slice(0, 80), most);
    return { weight: most[what] < 3 * least ? weight : 2 * weight, text, wave: most.key };
  };
}

// Sites that many honest texts link to, and where everybody can have a page.
const linkedByAll = new Set(
  `wikipedia.org wikimedia.org github.com gitlab.com stackoverflow.com stackexchange.com youtube.com youtu.be arxiv.org
   doi.org archive.org google.com microsoft.com apple.com mozilla.org w3.org ietf.org nist.gov npmjs.com pypi.org
   linkedin.com reddit.com medium.com x.com`.split(/\s+/),
);
