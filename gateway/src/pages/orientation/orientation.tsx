import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../../api/gateway.js';
import { linkToApi, registerOperation } from '../../api/operation-route.js';
import type { Documents } from '../../documents/documents.js';
import { type SiteProfile, securityText, securityTextPath } from '../../documents/site-profile.js';
import { mediaTypes, preferredType, prefersMarkdown } from '../../http/negotiation.js';
import { cacheControl, sendPublic } from '../../http/send-read.js';
import { readAgentEntry } from '../../protocol/document-operations.js';
import { apiCatalogPath } from '../../protocol/links.js';
import { serviceSummary, siteUrl, urlOf } from '../../protocol/service-words.js';
import type { SiteName, Sites } from '../../upstream/sites.js';
import { chapter, page } from '../parts/layout.js';
import { documentMarkdown } from '../parts/own-markdown.js';
import { registerPage, sendPage, withEtag } from '../parts/page-route.js';
import { aboutPage, privacyPage } from './about-page.js';

const { json, markdown, html } = mediaTypes;
const markdownType = 'text/markdown; charset=utf-8';
const textType = 'text/plain; charset=utf-8';
const catalogType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** Serves the orientation documents, which need no service behind the gateway. */
export function registerOrientation(
  app: FastifyInstance,
  { documents, sites }: { documents: Documents } & Pick<Gateway, 'sites'>,
): void {
  const pages = new Map<string, string>();
  const siteOf = (request: FastifyRequest) => sites.ofRequest(request);
  const sendText = (
    request: FastifyRequest,
    reply: FastifyReply,
    name: 'agentEntryText' | 'guide',
    { site, isPage }: { site: SiteName; isPage: boolean },
  ) => {
    const text = documents.get(name, site);
    if (!isPage) return sendPublic(request, reply, text, cacheControl.listing, markdownType);
    const page = pages.get(name + site) ?? guidePage(text.body.toString(), documents.service(site), sites);
    pages.set(name + site, page);
    return sendPage(request, reply, page, cacheControl.listing);
  };

  registerOperation(
    app,
    readAgentEntry,
    async (request, reply) => {
      const site = siteOf(request);
      reply.header('vary', 'Accept');
      const type = preferredType(request, [json, markdown, html]);
      if (type === json) return sendPublic(request, reply, documents.get('agentEntry', site), cacheControl.listing);
      return sendText(request, reply, 'agentEntryText', { site, isPage: type === html });
    },
    { onRequest: linkToApi(sites) },
  );

  registerPage(app, sites, '/for-agents', async (request, reply) => {
    const site = siteOf(request);
    return sendText(request, reply.header('vary', 'Accept'), 'guide', { site, isPage: !prefersMarkdown(request) });
  });

  for (const [path, render] of [
    ['/about', aboutPage],
    ['/privacy', privacyPage],
  ] as const) {
    registerPage(app, sites, path, async (request, reply) =>
      sendPage(request, reply, render(documents.service(siteOf(request)), sites), cacheControl.listing),
    );
  }

  registerPage(app, sites, securityTextPath, async (request, reply) => {
    const text = securityText(documents.service(siteOf(request)), new Date());
    return sendPublic(request, reply, withEtag(text), cacheControl.listing, textType);
  });

  for (const [url, name, type] of [
    ['/llms.txt', 'llms', textType],
    ['/robots.txt', 'robots', textType],
    [apiCatalogPath, 'apiCatalog', catalogType],
  ] as const) {
    registerPage(app, sites, url, async (request, reply) =>
      sendPublic(request, reply, documents.get(name, siteOf(request)), cacheControl.listing, type),
    );
  }
}

/** `/for-agents`: the guide as a page, with the protocol in the section `protocol` (gateway/PROTOCOL.md#orientation). */
export function guidePage(markdown: string, service: SiteProfile, sites: Sites): string {
  const { title, lead, sections } = documentMarkdown(markdown);
  const main = (
    <article class="guide">
      <header>
        <h1>{title}</h1>
      </header>
      {lead}
      {sections.map(({ id, title: heading, body }) => chapter(id, heading, body))}
    </article>
  );
  const contents = (
    <>
      <p>Contents</p>
      {linkList(sections)}
    </>
  );
  return page(sites, {
    site: service.site,
    section: '/for-agents',
    title,
    description: serviceSummary,
    canonical: siteUrl('/for-agents', service),
    alternate: urlOf(readAgentEntry, service),
    asMarkdown: true,
    contents,
    main,
  });
}

/** Links to headings, and below each to those of its parts. */
function linkList(headings: readonly Heading[]) {
  return (
    <ul>
      {headings.map(({ id, title, parts = [] }) => (
        <li>
          <a href={`#${id}`}>{title}</a>
          {parts.length > 0 && linkList(parts)}
        </li>
      ))}
    </ul>
  );
}

interface Heading {
  readonly id: string;
  readonly title: string;
  readonly parts?: readonly Heading[];
}
