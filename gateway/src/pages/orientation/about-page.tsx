import type { Contact } from '@knowledge/runtime';
import { communityTexts, publishedTexts } from '@knowledge/runtime/product';
import type { SiteProfile } from '../../documents/site-profile.js';
import { readAgentEntry } from '../../protocol/document-operations.js';
import { limits } from '../../protocol/limits.js';
import { serviceName, serviceSummary, siteUrl, urlOf } from '../../protocol/service-words.js';
import { type Sites, siteNames, sitePurposes, siteTitles } from '../../upstream/sites.js';
import { licenseLink, linkItem, page, pageHead, pageUrl } from '../parts/layout.js';
import { escapeMarkdown, ownMarkdown } from '../parts/own-markdown.js';
import { grounds, storedData } from './stored-data.js';

/** `/about`: what the service and its sites are, who reviews, what is public, and who runs it. */
export function aboutPage(service: SiteProfile, sites: Sites): string {
  const { site, operator } = service;
  const { name, contact, privacyUrl, termsUrl, imprintUrl, rulesUrl, license } = operator;
  const main = (
    <article class="about">
      {pageHead('About', serviceSummary)}
      <h2 id="sites">Two sites</h2>
      <dl>
        {siteNames.map((each) => [
          <dt>
            <a href={pageUrl('/', each, sites)}>{siteTitles[each]}</a> ({each})
          </dt>,
          <dd>{sitePurposes[each]}</dd>,
        ])}
      </dl>
      {ownMarkdown(`
One access holds on both sites. Questions to the moderators are taken on both, all else on ${siteTitles.org}.

## People and agents {#agents}
People read pages. An agent, a computer program that works for somebody, reads the same texts through an [API](<${urlOf(readAgentEntry, service)}>), and may hand in what its human wants to say. It can do that only after the human agreed by e-mail; the access ends after ${limits.tokenDays} days, and the human can end it at any time. [For agents](<${pageUrl('/for-agents', site, sites)}>) shows how it works.

## Who reviews {#review}
Editors write or choose the articles and the knowledge, and ask the community questions. From the community come ${communityTexts}: moderators read each before it appears, answer what people ask, and take down what should not be public. Such a text carries the mark “community”; it says what its author lived through, and we do not check its facts.

## What is public {#public}
Articles, ${publishedTexts} are public, with the name that the author gave, or with none. We never add an e-mail address. Questions to the moderators are private: the human, the agent that asked and the moderators read them.

## What is kept about you {#privacy}
You can read without giving any data. If an agent acts for you, we keep your e-mail address, what you agreed to, and what was sent in your name. [What is kept about you](<${pageUrl('/privacy', site, sites)}>) has every kind of data, what it is for, how long it stays, and what you can do.

## Who runs it {#operator}
${escapeMarkdown(name)} runs ${serviceName}. Write to ${contactLink(contact)}: questions, mistakes in a text, things that should not be public, security holes.
`)}
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

/** `/privacy`: what is kept about people, why, for how long, what programs check, and what people can do about it. */
export function privacyPage(service: SiteProfile, sites: Sites): string {
  const { site, operator } = service;
  const { name, contact, privacyUrl } = operator;
  const canonical = siteUrl('/privacy', service);
  const main = (
    <article class="about wide">
      {pageHead('What is kept about you', [
        `${name} runs ${serviceName} and answers for this data. Write to `,
        <a href={contact.url}>{contact.text}</a>,
        '.',
      ])}
      {siteNames.every((each) => privacyUrl !== `${sites.base(each)}/privacy`) &&
        ownMarkdown(
          `This page is about the data of this service. The [privacy notice of ${escapeMarkdown(name)}](<${privacyUrl}>) says the rest.`,
        )}
      <h2 id="data">Every kind of data</h2>
      <section class="scroll" tabindex="0" aria-labelledby="data">
        <table>
          <thead>
            <tr>
              <th>What</th>
              <th>How long</th>
              <th>What for</th>
              <th>Ground</th>
            </tr>
          </thead>
          <tbody>
            {storedData.map(({ id, what, why, ground, until }) => (
              <tr id={id}>
                <td>{what}</td>
                <td data-label="How long: ">{until}</td>
                <td data-label="What for: ">{why}</td>
                <td data-label="Ground: ">{grounds[ground]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="soft">
        The letters are those of article 6 (1) of the General Data Protection Regulation. Our interest is a service that
        works for everybody and that nobody misuses. The logs of this service name no address and no text. A backup can
        hold what was deleted for a while longer; ask us for how long.
      </p>
      {ownMarkdown(`
## Who sees it {#who}
Everybody reads what is published, with the name under it or with none; we never add an e-mail address. Your own agent reads what it sent. Moderators read texts that are sent, what programs noticed, and whether texts of the same human were rejected before. Support sees the rest when you or somebody else asks; each look is recorded, one at a list as one. The server that sends our mails sees your address.

## What programs check {#programs}
Programs look at each text that is sent, and mark what a moderator should look at closely. They decide nothing: a person reads each text and decides. Programs alone apply limits, for example of texts a day, and refuse what breaks a rule of form, such as a text that is too long. Your agent is told which rule it was.

## If you disagree with a decision {#contest}
If a text is rejected, closed or taken down, you get a mail with the reason. Write to ${contactLink(contact)}, free of charge, and say why you see it otherwise: a person looks at it again and can take the decision back. You can also go to a court, or, in the European Union, to a certified body for disputes out of court.

## What you can do {#rights}
- See and end it yourself: your own page shows who acts for you and what was sent, and withdraws texts or takes them down. Its link is in our mails, or [have it mailed to you](<${sites.base(site)}/access/link>).
- Take your yes back at any time, there or by writing to us. What was done before stays lawful.
- Get a copy of what is kept about you but for hashes, counts and our record of who did what, also in a form for programs, or have a mistake corrected.
- Have it erased. What was published stays without your name, unless you want it gone too. Two of us must agree, within ${limits.erasureDays} days, so that nobody is erased by mistake.
- Object to what we keep because of our interest, or ask us to keep it but not to use it.
- Complain to the authority for data protection where you live or work, or where ${escapeMarkdown(name)} is ([list for the European Union](<https://www.edpb.europa.eu/about-edpb/about-edpb/members_en>)).

For all of this write to ${contactLink(contact)}. You need not give us any data to read here; without an e-mail address, no agent can act for you.
`)}
    </article>
  );
  return page(sites, {
    site,
    section: '/privacy',
    title: 'What is kept about you',
    description: `What ${serviceName} keeps about people, why, for how long, and what they can do about it.`,
    canonical,
    main,
  });
}

function contactLink({ text, url }: Contact) {
  return `[${escapeMarkdown(text)}](<${url}>)`;
}
