import { type Closable, type Operator, publicUrls } from '@knowledge/runtime';
import { createSmtpTransport, startOutbox } from '@knowledge/runtime/mail';
import type { ServiceBase } from '@knowledge/runtime/service';
import type { IdentityConfig } from '../config.js';
import { composeLinkMails, composeMails } from '../mail/compose.js';
import type { Stores } from '../store/open-stores.js';
import { joinComposers, joinOutboxes } from '../store/outboxes.js';

export interface Mails {
  /** Looks for new mails at once. */
  wake(): void;
  readonly store: ReturnType<typeof joinOutboxes>;
  readonly closables: readonly Closable[];
}

/** Starts the outbox. It starts even if the mail server is down. */
export function startMails(
  { config, clock, log, telemetry }: ServiceBase<IdentityConfig>,
  { mails, keys, tokens, authorizations, blocks }: Stores,
  operator: Operator,
): Mails {
  const baseUrls = publicUrls(config);
  const store = joinOutboxes(mails, keys);
  const outbox = startOutbox({
    store,
    compose: joinComposers(
      composeMails({ mails, keys, tokens, authorizations, baseUrls, codeLifeMinutes: config.CODE_TTL_MINUTES, clock }),
      composeLinkMails(keys, { blocks, tokens, baseUrls, clock }),
    ),
    transport: createSmtpTransport(config, operator.contact.email),
    operator,
    log,
    telemetry,
    now: clock,
  });
  return { wake: outbox.wake, store, closables: [outbox] };
}
