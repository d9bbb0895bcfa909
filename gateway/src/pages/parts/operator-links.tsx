import type { Operator } from '@knowledge/runtime';
import type { Attributes, Html } from '@knowledge/runtime/html';

/** The operator's links for the footer. `apart` opens them in a new tab, so that a private page stays open. */
export function operatorLinks(operator: Operator, { about, apart }: { about: string; apart: boolean }): Html {
  const { name, contact, privacyUrl, termsUrl, imprintUrl, rulesUrl, license } = operator;
  const attributes = apart ? { target: '_blank', rel: 'noopener noreferrer' } : {};
  return (
    <>
      <p>
        Run by {name}. Licence of the texts: {licenseLink(license, apart)}.
      </p>
      <ul class="links">
        {linkItem('About', about, attributes)}
        {linkItem('Contact', contact.url, attributes)}
        {linkItem('Privacy', privacyUrl, attributes)}
        {linkItem('Terms', termsUrl, attributes)}
        {linkItem('Imprint', imprintUrl, attributes)}
        {linkItem('Rules', rulesUrl, attributes)}
      </ul>
    </>
  );
}

/** A link as an item of a list; undefined without a URL. */
export function linkItem(words: string, url: string | undefined, attributes: Attributes = {}): Html | undefined {
  if (url === undefined) return undefined;
  return (
    <li>
      <a href={url} {...attributes}>
        {words}
      </a>
    </li>
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
