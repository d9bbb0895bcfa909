import type { Role } from '@knowledge/runtime/grpc';
import type { EventView } from '../../watch/sources.js';
import { hasRole } from '../staff/has-role.js';
import type { StaffMember } from '../staff/staff-member.js';
import { nameOf } from './record-file.js';

/** The path of what an entry is about, if this staff member may open it. */
export function pathOfEvent(event: EventView, staff: Pick<StaffMember, 'roles'>): string | undefined {
  const { subject, site } = event;
  const name = encodeURIComponent(nameOf(event));
  if (name === '' || ['deleted', 'erased'].includes(event.state)) return undefined;
  const pages: Readonly<Record<string, readonly [path: string, ...roles: Role[]]>> = {
    article: [`/articles/${site}/${name}`, 'editor', 'reader'],
    article_draft: [`/articles/${site}/${name}/next`, 'editor', 'reader'],
    highlights: [`/articles/highlights/${site}`, 'editor', 'reader'],
    object: [`/articles/objects/${name}`, 'editor', 'reader', 'moderator', 'support'],
    synonyms: [`/articles/words?edit=${name}`, 'editor'],
    prompt: [`/prompts/${name}`, 'editor', 'moderator', 'reader'],
    contribution: hasRole(staff, 'moderator') ? [`/queue/${name}`, 'moderator'] : [`/people/id/${name}`, 'support'],
    authorization: [`/people/id/${name}`, 'support'],
    token: [`/people/id/${name}`, 'support'],
    ceiling: [`/admin/limits/${name}`],
    reason: [`/admin/reasons?edit=${name}`],
    session: ['/admin'],
    mail_domain: [`/people/domains?edit=${name}`, 'support', 'moderator'],
    // The log has only a hash of a person, so its entries lead to each other.
    person: [`/record?id=${name}&looks=yes`, 'reader', 'support', 'moderator', 'editor'],
  };
  const [path, ...roles] = pages[subject] ?? [];
  return path !== undefined && hasRole(staff, ...roles) ? path : undefined;
}
