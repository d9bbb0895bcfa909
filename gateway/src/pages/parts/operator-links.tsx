import type { Operator } from '@knowledge/runtime';
import type { Html } from './html.js';

/** The operator's links for the footer. `apart` opens them in a new tab, so that a private page stays open. */
export function operatorLinks(operator: Operator, { about, apart }: { about: string; apart: boolean }): Html {
  const { name, contact, privacyUrl, termsUrl, imprintUrl, rulesUrl, license } = operator;
  const separate = apart && { target: '_blank', rel: 'noopener noreferrer' };
  const link = (words: string, url: string | undefined): Html | undefined =>
    url === undefined ? undefined : (
      <li>
        <a href={url} {...separate}>
          {words}
        </a>
      </li>
    );
  return (
    <>
      <p>
        Run by {name}. Licence of the texts: {licenseLink(license, apart)}.
      </p>
      <ul class="links">
        {link('About', about)}
        {link('Contact', contact.url)}
        {link('Privacy', privacyUrl)}
        {link('Terms', termsUrl)}
        {link('Imprint', imprintUrl)}
        {link('Rules', rulesUrl)}
      </ul>
    </>
  );
}

/** The name of the licence, linked if it has a URL. */
export function licenseLink({ name, url }: Operator['license'], apart = false): Html {
  if (url === undefined) return <>{name}</>;
  return (
    <a href={url} {...(apart && { target: '_blank' })} rel={apart ? 'noopener noreferrer license' : 'license'}>
      {name}
    </a>
  );
}
