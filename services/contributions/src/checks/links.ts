import { hostsIn, looksLikeAnother } from '@knowledge/runtime/names';
import { counted, type TextCheck } from './check.js';

/** Counts links. Contributions are texts about practice, so many links are unusual. */
export const links: TextCheck = ({ body }) => {
  const count = hostsOf(body).length;
  if (count === 0) return undefined;
  const weight = count >= 10 ? 25 : count >= 3 ? 12 : 4;
  return { weight, text: count >= mostHosts ? `${mostHosts} or more links` : counted(count, 'link') };
};

/** Finds links whose target a reader cannot see, because a service shortens them. */
export const shortLinks: TextCheck = ({ body }) => {
  const found = new Set(hostsOf(body).filter((host) => shorteners.has(host)));
  if (found.size === 0) return undefined;
  return { weight: 20, text: `a shortened link hides its target: ${shown(found)}` };
};

/** Finds domains that look like another one: letters of several scripts, Punycode, or Latin look-alikes. */
export const lookAlikeDomains: TextCheck = ({ body }) => {
  const found = new Set(hostsOf(body).filter(looksLikeAnother));
  if (found.size === 0) return undefined;
  return { weight: 30, text: `a domain may look like another one: ${shown(found)}` };
};

function hostsOf(body: string): string[] {
  return hostsIn(body, mostHosts).map(({ host }) => host.toLowerCase());
}

const mostHosts = 50;

const shorteners: ReadonlySet<string> = new Set(
  `bit.ly tinyurl.com t.co goo.gl ow.ly is.gd buff.ly rebrand.ly cutt.ly rb.gy shorturl.at t.ly tiny.cc v.gd s.id bl.ink
   lnkd.in short.io dub.sh qrco.de`.split(/\s+/),
);

function shown(hosts: ReadonlySet<string>): string {
  const [first = ''] = hosts;
  const more = hosts.size > 1 ? ` and ${hosts.size - 1} more` : '';
  return `${first.length > 80 ? `${first.slice(0, 80)}…` : first}${more}`;
}
