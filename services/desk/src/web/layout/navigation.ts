import type { Role } from '@knowledge/runtime/grpc';
import { hasRole } from '../staff/has-role.js';
import type { StaffMember } from '../staff/staff-member.js';

/** A page of the menu, with the roles that may open it. The services decide; an administrator may open every page. */
interface Page {
  readonly path: string;
  readonly label: string;
  readonly roles: readonly Role[];
}

/** A section of the web desk. The paths of all its pages begin with its own. */
export interface Section {
  readonly path: string;
  readonly label: string;
  /** What is there, for the start page. */
  readonly about: string;
  readonly pages: readonly [Page, ...Page[]];
}

function page(path: string, label: string, ...roles: readonly Role[]): Page {
  return { path, label, roles };
}

/** All sections, in the order in which people see them. */
const sections: readonly Section[] = [
  {
    path: '/queue',
    label: 'Queue',
    about: 'What agents sent and what waits for a decision.',
    pages: [page('/queue', 'Queue', 'moderator', 'support')],
  },
  {
    path: '/articles',
    label: 'Articles',
    about: 'Articles with their next revisions, highlights, objects of the catalog, files, and words for search.',
    pages: [
      page('/articles', 'All articles', 'editor', 'reader'),
      page('/articles/highlights', 'Highlights', 'editor', 'reader'),
      page('/articles/objects', 'Objects', 'editor', 'reader', 'moderator', 'support'),
      page('/articles/files', 'Import and export', 'editor', 'reader'),
      page('/articles/words', 'Words for search', 'editor'),
    ],
  },
  {
    path: '/prompts',
    label: 'Prompts',
    about: 'The questions to the community, and what readers look for.',
    pages: [
      page('/prompts', 'All prompts', 'editor', 'moderator', 'reader'),
      page('/prompts/gaps', 'What readers look for', 'editor', 'reader'),
    ],
  },
  {
    path: '/record',
    label: 'Record',
    about: 'Who did what, when and why, in all services.',
    pages: [page('/record', 'Record', 'reader', 'support', 'moderator', 'editor')],
  },
  {
    path: '/people',
    label: 'People',
    about: 'What we know of a person: accesses, mails, contributions and limits; exports and erasures.',
    pages: [
      page('/people', 'People', 'support'),
      page('/people/mails', 'Mails that failed', 'support'),
      page('/people/domains', 'Mail domains', 'support', 'moderator'),
    ],
  },
  {
    path: '/admin',
    label: 'Administration',
    about: 'Who works here with which roles, the reasons that moderators choose from, and the limits that hold.',
    pages: [
      page('/admin', 'Staff members'),
      page('/admin/reasons', 'Canned reasons'),
      page('/admin/limits', 'Limits', 'reader', 'support', 'editor'),
    ],
  },
];

/** The section of a path, and its page with the longest path that the given one begins with. */
export function placeOf(path: string, sections: readonly Section[]): { section?: Section; page?: string | undefined } {
  const isAt = (each: { readonly path: string }): boolean => path === each.path || path.startsWith(`${each.path}/`);
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
