import type { Role } from '@knowledge/runtime/grpc';

/** A section of the web desk. */
export interface Section {
  readonly path: string;
  readonly label: string;
  /** What can be done there, for the start page. */
  readonly about: string;
  /** Who sees it. The services decide who may do what. An administrator sees every section. */
  readonly roles: readonly Role[];
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
    about: 'Write, preview, publish and compare articles, and the next revisions of those that readers see.',
    roles: ['editor'],
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

export function sectionsOf(own: readonly Role[]): readonly Section[] {
  const isAdministrator = own.includes('administrator');
  return sections.filter(({ roles }) => isAdministrator || roles.some((role) => own.includes(role)));
}
