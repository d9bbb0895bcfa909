import { readMarkdown } from '@knowledge/runtime/markdown';
import { refuseFaults } from './text.js';

/**
 * Refuses a text with a whole URL of a private page of ours, `bases` being those of the sites. It may carry a key.
 *
 * @throws KnowledgeError `validation_error`.
 */
export function refusePrivateLinks(body: string, bases: readonly string[]): void {
  const found = readMarkdown(body).links.find(({ target }) => bases.some((base) => isPrivate(target, base)));
  refuseFaults([found && `body links to a private page of this service in line ${found.line}: leave the link out`]);
}

function isPrivate(target: string, base: string): boolean {
  if (!URL.canParse(target)) return false;
  const { host, pathname } = new URL(target);
  const { host: ours, pathname: root } = new URL(base);
  return host === ours && privatePath.test(decoded(pathname.slice(root.replace(/\/$/, '').length)));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const privatePath = /^\/(?:access|api\/v1\/agent\/authorize)(?:\/|$)/;
