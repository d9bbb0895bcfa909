import type { GrantAdminServiceService, RequestBlock } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { type Attribution, type CallContext, KnowledgeError, mailboxOf, refuse } from '@knowledge/runtime';
import { type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { aboutPerson } from '@knowledge/runtime/transition-log';
import { requireEmail } from '@knowledge/runtime/wire';
import { type Block, type MailboxBlocks, newBlock } from '../domain/block.js';
import { endPending, hasAccessPage, recordBlockMail } from './access-links.js';
import type { IdentityParts } from './wire.js';

/** A mailbox to which agents may send no requests. */
export function blockHandlers(
  parts: IdentityParts,
): Pick<Handlers<GrantAdminServiceService>, 'getBlock' | 'blockRequests' | 'unblockRequests'> {
  const { blocks, transitions } = parts;

  const recordBlock = async (email: string, to: 'blocked' | 'unblocked', act: Attribution, { signal }: CallContext) => {
    await transitions.record({ ...aboutPerson(email), to, ...act }, signal);
  };

  return {
    async getBlock({ email }, call) {
      const { staff } = await blocks.find(mailboxOf(requireEmail(email)), call);
      return { block: staff && toWireBlock(staff) };
    },

    async blockRequests(request, call) {
      const email = requireOneMailbox(request.email);
      const act = requireAttribution(call, request.reason);
      const block = newBlock(email, request.days, act);
      await blocks.put(block, call);
      await recordBlock(email, 'blocked', act, call);
      if (await hasAccessPage(parts, email, call)) await recordBlockMail(parts, email, call);
      return { until: block.until ?? undefined, cancelled: await endPending(parts, email, act, call) };
    },

    async unblockRequests(request, call) {
      const email = requireEmail(request.email);
      const act = requireAttribution(call, request.reason);
      const mailbox = mailboxOf(email);
      const end = (whose: keyof MailboxBlocks) => blocks.end(mailbox, whose, call.requestId, call);
      if (!(await end('staff')) && !(await end('own'))) {
        throw new KnowledgeError('not_found', 'This mailbox is not blocked: agents may send it requests.');
      }
      await recordBlock(email, 'unblocked', act, call);
      return {};
    },
  };
}

export function toWireBlock({ until, actor, reason, createdAt }: Block): RequestBlock {
  return { until: until ?? undefined, actor, reason, createdAt };
}

// A name with a wildcard would block a mailbox that nobody has.
function requireOneMailbox(input: string) {
  const [, domain] = /^(?:[^@]*[*%?][^@]*@|[._-]*@)?(?:[*%?]+\.)*([^@]+\.[^@]+)$/.exec(input.trim()) ?? [];
  if (domain === undefined) return requireEmail(input);
  refuse(`email must be one mailbox. For all mailboxes of a domain make a rule: knowledge domain refuse ${domain}`);
}
