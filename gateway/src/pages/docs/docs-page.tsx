import { errorCodes } from '@knowledge/runtime';
import type { Fragment, Html } from '@knowledge/runtime/html';
import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import type { Gateway } from '../../api/gateway.js';
import type { DocumentName, Documents } from '../../documents/documents.js';
import { fieldLines, inResponse, type NameSchema } from '../../documents/fields.js';
import type { SiteProfile } from '../../documents/site-profile.js';
import { cacheControl } from '../../http/send-read.js';
import { readAgentEntry, readCapabilities, readChangelog, readOpenApi } from '../../protocol/document-operations.js';
import type { Json } from '../../protocol/example.js';
import { commonErrors, keywordsOf, type Operation } from '../../protocol/operation.js';
import { type OperationGroup, operationGroups } from '../../protocol/operations.js';
import { namedSchemas } from '../../protocol/schemas.js';
import { contentPolicy, protocolVersion, siteUrl, urlOf } from '../../protocol/service-words.js';
import type { SiteName, Sites } from '../../upstream/sites.js';
import { assetPath } from '../parts/assets.js';
import { rootPath } from '../parts/head.js';
import { chapter, page, pageHead } from '../parts/layout.js';
import { registerPage, sendPage } from '../parts/page-route.js';
import { errorLine, fieldList, operationSection } from './operation-section.js';

/** Serves `/docs`, rendered once for each site. It needs no service behind the gateway. */
export function registerDocs(
  app: FastifyInstance,
  { documents, sites }: { documents: Documents } & Pick<Gateway, 'sites'>,
): void {
  const pages = new Map<SiteName, string>();
  registerPage(app, sites, '/docs', async (request, reply) => {
    const site = sites.ofRequest(request);
    const documentOf = (operation: Operation) => {
      const name = ownDocuments.get(operation);
      return name && (JSON.parse(documents.get(name, site).body.toString()) as Json);
    };
    const page = pages.get(site) ?? docsPage(documents.service(site), documentOf, sites);
    pages.set(site, page);
    return sendPage(request, reply, page, cacheControl.listing);
  });
}

const ownDocuments: ReadonlyMap<Operation, DocumentName> = new Map<Operation, DocumentName>([
  [readAgentEntry, 'agentEntry'],
  [readCapabilities, 'capabilities'],
  [readChangelog, 'changelog'],
]);

/** `/docs`: the API reference for people, from the same schemas as the OpenAPI document (gateway/PROTOCOL.md#orientation). */
export function docsPage(
  service: SiteProfile,
  document: (operation: Operation) => Json | undefined,
  sites: Sites,
): string {
  const linked = new Set<TSchema>();
  const nameSchema: NameSchema = (schema, name) => {
    linked.add(schema);
    return `[${name}](#${schemaAnchor(name)})`;
  };
  const groups = operationGroups.map((group) => ({ ...group, anchor: group.name.toLowerCase() }));
  // Renders the operations first, since they decide which schemas the page lists.
  const sections = groups.map(({ name, anchor, operations }) =>
    chapter(
      anchor,
      name,
      operations.map((operation) => operationSection(operation, { service, document, nameSchema })),
    ),
  );
  const title = 'API reference';
  const main = (
    <article class="guide docs">
      {pageHead(
        title,
        `Every call of the JSON API, version ${protocolVersion}, with what it takes, what it answers and how it fails.`,
      )}
      {introduction(service)}
      {sections}
      {errors()}
      {schemas(linked, nameSchema)}
    </article>
  );
  return page(sites, {
    site: service.site,
    title,
    description: 'Every call of the JSON API with its parameters, answers, examples and errors.',
    canonical: siteUrl('/docs', service),
    alternate: urlOf(readOpenApi, service),
    head: <link rel="stylesheet" href={`${rootPath(service.site, sites)}${assetPath('docs')}`} />,
    contents: contents(groups),
    main,
  });
}

function introduction(service: SiteProfile) {
  return chapter(
    'calling',
    'Calling',
    <>
      <p>
        This page is the <a href={urlOf(readOpenApi, service)}>OpenAPI 3.1 document</a> to read. What the protocol means
        and in which order to call it is told <a href={siteUrl('/for-agents', service)}>for agents</a>.
      </p>
      <p>
        Paths begin at <code>{service.base}</code>. Every answer is <code>{'{"ok": true, …}'}</code> or{' '}
        <code>{'{"ok": false, "error", "message"}'}</code>. {contentPolicy}
      </p>
      <p>
        Commands are for a shell in which <code>TOKEN</code> holds your token; one click selects a whole command. Their
        answers are those of the sample content that a local start has; a text that ends with … is cut.
      </p>
    </>,
  );
}

function contents(groups: readonly (OperationGroup & { anchor: string })[]) {
  const entry = (anchor: string, name: Fragment, below?: Fragment) => (
    <li>
      <a href={`#${anchor}`}>{name}</a>
      {below}
    </li>
  );
  const short = ({ method, path }: Operation) => (
    <>
      <span class="verb">{method}</span> <span>{breakable(path.replace(/^\/api\/v1/, ''))}</span>
    </>
  );
  return (
    <>
      <p>Contents</p>
      <ul>
        {entry('calling', 'Calling')}
        {groups.map(({ name, anchor, operations }) =>
          entry(anchor, name, <ul>{operations.map((operation) => entry(operation.id, short(operation)))}</ul>),
        )}
        {entry('errors', 'Errors')}
        {entry('schemas', 'Schemas')}
      </ul>
    </>
  );
}

/** Allows a line break before each path segment. */
function breakable(path: string): Fragment {
  return path.split(/(?<=.)(?=\/)/).map((part, at) => [at > 0 && <wbr />, part]);
}

function errors() {
  return chapter(
    'errors',
    'Errors',
    <>
      <p>
        A code never changes its status. Retry only what says so, after <code>Retry-After</code> where it is sent.
        Besides those of any call, there are <code>not_found</code> for a path and <code>method_not_allowed</code> for a
        method that does not exist.
      </p>
      {fieldList(
        errorCodes.map((code) => {
          const line = errorLine(code);
          return commonErrors.includes(code) ? { ...line, facts: [...line.facts, 'any call'] } : line;
        }),
      )}
    </>,
  );
}

function schemas(linked: Set<TSchema>, nameSchema: NameSchema) {
  const shown: Html[] = [];
  // Rendering a schema can add more to the set; the loop picks them up.
  for (const schema of linked) {
    const name = namedSchemas.get(schema) ?? '';
    const { description } = keywordsOf(schema);
    shown.push(
      <section id={schemaAnchor(name)}>
        <h3>{name}</h3>
        {description && <p>{description}</p>}
        {fieldList(fieldLines(schema, inResponse, nameSchema))}
      </section>,
    );
  }
  return chapter('schemas', 'Schemas', shown);
}

function schemaAnchor(name: string) {
  return `schema-${name}`;
}
