import type { Operator } from '@knowledge/runtime';
import { type Html, html } from './html.js';

/** Who runs the service, for the foot of a page; `apart` opens links separately, so that a page around a secret link stays. */
export function operatorLinks(operator: Operator, { about, apart }: { about: string; apart: boolean }): Html {
  const { name, contact, privacyUrl, termsUrl, imprintUrl, rulesUrl, license } = operator;
  const links: [string, string | undefined][] = [
    ['About', about],
    ['Contact', contact.url],
    ['Privacy', privacyUrl],
    ['Terms', termsUrl],
    ['Imprint', imprintUrl],
    ['Rules', rulesUrl],
  ];
  const target = apart && html` target="_blank" rel="noopener noreferrer"`;
  return html`<p>Run by ${name}. Licence of the texts: ${licenseLink(license, apart)}.</p>
<ul class="links">
${links.map(([words, url]) => url !== undefined && html`<li><a href="${url}"${target}>${words}</a></li>\n`)}</ul>`;
}

/** The licence of the texts by its name, linked where it has a URL. */
export function licenseLink({ name, url }: Operator['license'], apart = false): Html {
  if (url === undefined) return html`${name}`;
  return html`<a href="${url}"${apart ? html` target="_blank" rel="noopener noreferrer license"` : html` rel="license"`}>${name}</a>`;
}
