import { domainToUnicode } from 'node:url';
import { looksLikeAnother } from '@knowledge/runtime/names';
import { counted, mostHosts, type TextCheck } from './check.js';

/** Counts links. Contributions are texts about practice, so many links are unusual. */
export const links: TextCheck = ({ hosts: { length } }) => {
  if (length === 0) return undefined;
  const weight = length >= 10 ? 25 : length >= 3 ? 12 : 4;
  return { weight, text: length >= mostHosts ? `${mostHosts} or more links` : counted(length, 'link') };
};

/** Finds links whose target a reader cannot see, because a service shortens them. */
export const shortLinks: TextCheck = ({ hosts }) => {
  const found = new Set(hosts.filter((host) => shorteners.has(host)));
  if (found.size === 0) return undefined;
  return { weight: 20, text: `a shortened link hides its target: ${shown(found)}` };
};

/** Finds domains that look like another one: letters of several scripts, Punycode, or Latin look-alikes. */
export const lookAlikeDomains: TextCheck = ({ hosts, words }) => {
  const isOdd = (host: string) => {
    // Punycode that somebody wrote is odd; that of a domain with letters of its language is not.
    return words.includes(host) ? looksLikeAnother(host) : looksLikeAnother(domainToUnicode(host));
  };
  const found = new Set(hosts.filter(isOdd));
  if (found.size === 0) return undefined;
  return { weight: 30, text: `a domain may look like another one: ${shown(found)}` };
};

/** Finds links whose words are the address of another host than the one to which they lead. */
export const falseLinks: TextCheck = ({ links }) => {
  const found = new Set(links.map(({ hidden }) => hidden).filter((each) => each !== undefined));
  if (found.size === 0) return undefined;
  return { weight: 30, text: `a link shows another host than the one to which it leads: ${shown(found)}` };
};

const shorteners: ReadonlySet<string> = new Set(
  `bit.ly tinyurl.com t.co goo.gl ow.ly is.gd buff.ly rebrand.ly cutt.ly rb.gy shorturl.at t.ly tiny.cc v.gd s.id bl.ink
   lnkd.in short.io dub.sh qrco.de`.split(/\s+/),
);

function shown(hosts: ReadonlySet<string>) {
  const [first = ''] = hosts;
  const more = hosts.size > 1 ? ` and ${hosts.size - 1} more` : '';
  return `${first.length > 80 ? `${first.slice(0, 80)}…` : first}${more}`;
}
