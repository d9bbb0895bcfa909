import type { Readable } from 'node:stream';
import type { Role } from '@knowledge/runtime/grpc';
import { type Fragment, pageMeta } from '@knowledge/runtime/html';
import type { FastifyReply } from 'fastify';
import { assetPath } from './assets.js';
import { csrfField, csrfMark } from './fields.js';
import { csrfTokenOf } from './requests.js';
import { hasRole, type StaffMember } from './staff.js';
import { linkLine } from './values.js';

/** What a page shows. */
export interface Shown {
  readonly title: string;
  readonly main: Fragment;
  readonly status?: number | undefined;
  /** The id of what the skip link leads to, if not to all content. */
  readonly skipTo?: string | undefined;
  /** Goes on to this address at once. */
  readonly onTo?: string | undefined;
}

interface Around extends Pick<Shown, 'status'> {
  /** The page above this one, and its name. */
  readonly back?: readonly [path: string, label: string];
  /** The title as the page shows it, if not as text. */
  readonly heading?: Fragment;
}

/** A page with its title above its content. */
export function titled(title: string, content: Fragment, { back, heading = title, status }: Around = {}): Shown {
  const main = (
    <>
      {back && linkLine(...back)}
      <h1>{heading}</h1>
      {content}
    </>
  );
  return { title, main, status };
}

/** Sends a page in the layout of the web desk. */
export function sendPage(reply: FastifyReply, shown: Shown): FastifyReply {
  // The focus goes to the first wrong field.
  const { markup } = wholePage(reply, shown);
  const focused = markup.replace('aria-invalid="true"', '$& autofocus');
  return reply
    .code(shown.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>${focused.replaceAll(csrfMark, csrfTokenOf(reply))}`);
}

/** Sends a file, which the browser saves under this name. */
export function sendFile(reply: FastifyReply, name: string, type: string, content: string | Readable): FastifyReply {
  return reply.type(type).header('content-disposition', `attachment; filename="${name}"`).send(content);
}

function wholePage(reply: FastifyReply, { title, main, skipTo = 'main', onTo }: Shown) {
  const { request, server } = reply;
  const { staff } = request.desk;
  const path = request.url.replace(/\?.*$/s, '');
  return (
    <html lang="en">
      <head>
        {pageMeta}
        <title>{title} · Desk</title>
        {onTo !== undefined && <meta http-equiv="refresh" content={`0; url=${onTo}`} />}
        <meta name="htmx-config" content={htmxConfig} />
        <link rel="icon" href={assetPath('icon')} type="image/svg+xml" />
        <link rel="stylesheet" href={server.stylePath} />
        <script src={assetPath('htmx')} defer></script>
        <script src={assetPath('script')} type="module"></script>
      </head>
      <body hx-headers={JSON.stringify({ 'x-csrf-token': csrfMark })}>
        <a class="skip" href={`#${skipTo}`}>
          Skip to the content
        </a>
        <header class="top">
          <a class="name" href="/">
            Community Knowledge desk
          </a>
          {staff !== undefined && sectionLinks(staff, path)}
          {staff !== undefined && who(staff)}
        </header>
        {staff !== undefined && pageLinks(staff, path)}
        <div class="frame">
          <main id="main" tabindex="-1">
            <div id="messages" role="status" aria-live="polite"></div>
            {main}
          </main>
        </div>
      </body>
    </html>
  );
}

/** htmx evaluates no text, adds no style and asks no other site. A failure appears where it is read out. */
const htmxConfig = JSON.stringify({
  allowEval: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  allowScriptTags: false,
  historyCacheSize: 0,
  defaultSettleDelay: 0,
  refreshOnHistoryMiss: true,
  // The server answers earlier, and says which part of it does not.
  timeout: 15_000,
  responseHandling: [
    { code: '204', swap: false },
    { code: '[23]..', swap: true },
    { code: '[45]..', swap: true, error: true, target: '#messages', swapOverride: 'innerHTML', select: 'p' },
  ],
});

function sectionLinks({ roles }: StaffMember, path: string) {
  const sections = sectionsOf(roles);
  const { section: current } = placeOf(path, sections);
  return (
    <nav class="sections" aria-label="Sections">
      {sections.map((section) => (
        <a href={section.pages[0].path} aria-current={section === current && 'true'}>
          {section.label}
        </a>
      ))}
    </nav>
  );
}

/** The pages of the section that is open, if it has more than one. */
function pageLinks({ roles }: StaffMember, path: string): Fragment {
  const { section, page } = placeOf(path, sectionsOf(roles));
  if (section === undefined || section.pages.length === 1) return undefined;
  return (
    <nav class="frame pages-of" aria-label={`Pages of ${section.label}`}>
      {section.pages.map((each) => (
        <a href={each.path} aria-current={each.path === page && 'true'}>
          {each.label}
        </a>
      ))}
    </nav>
  );
}

function who({ displayName, roles }: StaffMember) {
  return (
    <div class="who">
      <span title={roles.join(', ')}>
        <bdi>{displayName}</bdi>
      </span>
      <form method="post" action="/sign-out">
        {csrfField()}
        <button>Sign out</button>
      </form>
    </div>
  );
}

/** A page of the menu, with the roles that may open it. The services decide; an administrator may open every page. */
interface Page {
  readonly path: string;
  readonly label: string;
  /** What is there, for the start page. */
  readonly about: string;
  readonly roles: readonly Role[];
}

/** A section of the web desk. The paths of all its pages begin with its own. */
interface Section {
  readonly path: string;
  readonly label: string;
  readonly pages: readonly [Page, ...Page[]];
}

function page(path: string, label: string, about: string, ...roles: readonly Role[]): Page {
  return { path, label, about, roles };
}

/** All sections, in the order in which people see them. */
const sections: readonly Section[] = [
  {
    path: '/queue',
    label: 'Queue',
    pages: [page('/queue', 'Queue', 'what agents sent and what waits for a decision', 'moderator', 'support')],
  },
  {
    path: '/articles',
    label: 'Articles',
    pages: [
      page('/articles', 'All articles', 'articles with their next revisions', 'editor', 'reader'),
      page('/articles/highlights', 'Highlights', 'highlights', 'editor', 'reader'),
      page('/articles/objects', 'Objects', 'objects of the catalog', 'editor', 'reader', 'moderator', 'support'),
      page('/articles/files', 'Import and export', 'files', 'editor', 'reader'),
      page('/articles/words', 'Words for search', 'words for search', 'editor'),
    ],
  },
  {
    path: '/prompts',
    label: 'Prompts',
    pages: [
      page('/prompts', 'All prompts', 'the questions to the community', 'editor', 'moderator', 'reader'),
      page('/prompts/gaps', 'What readers look for', 'what readers look for', 'editor', 'reader'),
    ],
  },
  {
    path: '/record',
    label: 'Record',
    pages: [page('/record', 'Record', 'who did what, when and why', 'reader', 'support', 'moderator', 'editor')],
  },
  {
    path: '/people',
    label: 'People',
    pages: [
      page(
        '/people',
        'People',
        'what we know of a person, with accesses, mails, limits, exports and erasures',
        'support',
      ),
      page('/people/mails', 'Mails that failed', 'mails that failed', 'support'),
      page('/people/domains', 'Mail domains', 'rules for mail domains', 'support', 'moderator'),
    ],
  },
  {
    path: '/admin',
    label: 'Administration',
    pages: [
      page('/admin', 'Staff members', 'who works here with which roles'),
      page('/admin/reasons', 'Canned reasons', 'the reasons that moderators choose from'),
      page('/admin/limits', 'Limits', 'the limits that hold', 'reader', 'support', 'editor'),
    ],
  },
];

/** The section of a path, and its page with the longest path that the given one begins with. */
function placeOf(path: string, sections: readonly Section[]): { section?: Section; page?: string | undefined } {
  const isAt = (each: { readonly path: string }) => path === each.path || path.startsWith(`${each.path}/`);
  const section = sections.find(isAt);
  if (section === undefined) return {};
  const [page] = section.pages.filter(isAt).sort((a, b) => b.path.length - a.path.length);
  return { section, page: page?.path };
}

/** The sections and pages that these roles may open. */
export function sectionsOf(own: readonly Role[]): readonly Section[] {
  return sections.flatMap((section) => {
    const [first, ...others] = section.pages.filter(({ roles }) => hasRole({ roles: own }, ...roles));
    return first === undefined ? [] : [{ ...section, pages: [first, ...others] as const }];
  });
}

/** Whether a staff member may open the page that an address leads to. */
export function mayOpen(address: string, { roles }: Pick<StaffMember, 'roles'>): boolean {
  const { page } = placeOf(address.replace(/\?.*$/s, ''), sections);
  return sectionsOf(roles).some(({ pages }) => pages.some(({ path }) => path === page));
}
