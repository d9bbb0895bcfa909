import type { SiteProfile } from '../../documents/site-profile.js';
import { readAgentEntry } from '../../protocol/document-operations.js';
import { limits } from '../../protocol/limits.js';
import { serviceName, serviceSummary, siteUrl, urlOf } from '../../protocol/service-words.js';
import { type Sites, siteNames, sitePurposes, siteTitles } from '../../upstream/sites.js';
import { licenseLink, linkItem, page, pageUrl } from '../parts/layout.js';

/** `/about`: what the service and its sites are, who reviews, what is public, and who runs it. */
export function aboutPage(service: SiteProfile, sites: Sites): string {
  const { site, operator } = service;
  const { name, contact, privacyUrl, termsUrl, imprintUrl, rulesUrl, license } = operator;
  const main = (
    <article class="about">
      <header>
        <h1>About</h1>
        <p class="lede">{serviceSummary}</p>
      </header>
      <h2 id="sites">Two sites</h2>
      <dl>
        {siteNames.map((each) => [
          <dt>
            <a href={pageUrl('/', each, sites)}>{siteTitles[each]}</a> ({each})
          </dt>,
          <dd>{sitePurposes[each]}</dd>,
        ])}
      </dl>
      <p>
        One access holds on both sites. Stories and replies to our questions are taken on {siteTitles.org}; questions to
        the moderators on both.
      </p>
      <h2 id="agents">People and agents</h2>
      <p>
        People read pages. An agent, a computer program that works for somebody, reads the same texts through an{' '}
        <a href={urlOf(readAgentEntry, service)}>API</a>, and may hand in what its human wants to say. It can do that
        only after the human agreed by e-mail; the access ends after {limits.tokenDays} days, and the human can end it
        at any time. <a href={pageUrl('/for-agents', site, sites)}>For agents</a> shows how it works.
      </p>
      <h2 id="review">Who reviews</h2>
      <p>
        Editors write or choose the articles and the knowledge, and ask the community questions. Stories and replies
        come from the community: moderators read each before it appears, answer what people ask, and take down what
        should not be public. Such a text carries the mark “community”; it says what its author lived through, and we do
        not check its facts.
      </p>
      <h2 id="public">What is public</h2>
      <p>
        Articles, stories, replies and knowledge are public, with the name that the author gave, or with none. We never
        add an e-mail address. Questions to the moderators are private: the human, the agent that asked and the
        moderators read them.
      </p>
      <h2 id="privacy">What is kept about you</h2>
      <p>
        You can read without giving any data. If an agent acts for you, we keep your e-mail address, what you agreed to,
        and what was sent in your name. <a href={pageUrl('/privacy', site, sites)}>What is kept about you</a> has every
        kind of data, what it is for, how long it stays, and what you can do.
      </p>
      <h2 id="operator">Who runs it</h2>
      <p>
        {name} runs {serviceName}. Write to <a href={contact.url}>{contact.text}</a>: questions, mistakes in a text,
        things that should not be public, security holes.
      </p>
      <ul>
        {linkItem('Privacy notice', privacyUrl)}
        {linkItem('Terms of use', termsUrl)}
        {linkItem('Imprint', imprintUrl)}
        {linkItem('Rules for contributions', rulesUrl)}
        <li>Licence of the texts: {licenseLink(license)}</li>
      </ul>
    </article>
  );
  return page(sites, {
    site,
    section: '/about',
    title: 'About',
    description: `What ${serviceName} is, what is public, who reviews and who runs it.`,
    canonical: siteUrl('/about', service),
    main,
  });
}
