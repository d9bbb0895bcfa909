import type { Role } from '@knowledge/runtime/grpc';
import { hasRole } from '../staff/has-role.js';

/** A section of the web desk. */
export interface Section {
  readonly path: string;
  readonly label: string;
  /** What can be done there, for the start page. */
  readonly about: string;
  /** Who sees it. The services decide who may do what. An administrator sees every section. */
  readonly roles: readonly Role[];
  /** The pages of the section, if it has more than one; their paths begin with that of the section. */
  readonly pages?: readonly { readonly path: string; readonly label: string }[];
}

/** All sections, in the order in which people see them. */
const sections: readonly Section[] = [
  {
    path: '/queue',
    label: 'Queue',
    about: 'What agents sent and what waits for a decision.',
    roles: ['moderator'],
  },
  {
    path: '/articles',
    label: 'Articles',
    about:
      'Write, preview, publish and compare articles, and the next revisions of those that readers see. Order the highlights, and write objects for the catalog.',
    roles: ['editor'],
    pages: [
      { path: '/articles', label: 'All articles' },
      { path: '/articles/highlights', label: 'Highlights' },
      { path: '/articles/objects', label: 'Objects' },
      { path: '/articles/files', label: 'Import and export' },
      { path: '/articles/words', label: 'Words for search' },
    ],
  },
  {
    path: '/prompts',
    label: 'Prompts',
    about: 'Write, open and close the questions to the community, and see what readers look for.',
    roles: ['editor', 'moderator'],
  },
  {
    path: '/record',
    label: 'Record',
    about: 'Who did what, when and why, in all services.',
    roles: ['reader'],
  },
  {
    path: '/people',
    label: 'People',
    about: 'What we know of a person: accesses, mails, contributions and limits; exports and erasures.',
    roles: ['support'],
  },
  {
    path: '/admin',
    label: 'Administration',
    about: 'Who works here with which roles, and who is signed in.',
    roles: ['administrator'],
  },
];

/** The section of a path, and its page with the longest path that the given one begins with. */
export function placeOf(path: string, sections: readonly Section[]): { section?: Section; page?: string } {
  const isAt = (each: { readonly path: string }): boolean => path === each.path || path.startsWith(`${each.path}/`);
  const section = sections.find(isAt);
  if (section === undefined) return {};
  const [page = section] = (section.pages ?? []).filter(isAt).sort((a, b) => b.path.length - a.path.length);
  return { section, page: page.path };
}

export function sectionsOf(own: readonly Role[]): readonly Section[] {
  return sections.filter(({ roles }) => hasRole({ roles: own }, ...roles));
}
