import { type Operator, publicUrls } from '@knowledge/runtime';
import { createSmtpTransport, Outbox } from '@knowledge/runtime/mail';
import type { ServiceBase } from '@knowledge/runtime/service';
import { startLogTail } from '@knowledge/runtime/watch';
import type { Identity } from '../clients/identity.js';
import type { ContributionsConfig } from '../config.js';
import { composeMail } from '../mail/compose.js';
import { startPromptClock } from '../prompts/worker.js';
import type { Catalog } from '../publications/client.js';
import { startPublisher } from '../publications/worker.js';
import type { Stores } from '../stores.js';
import { startAgentEnds, startAssessor, startHeldDecisions, startNewTextClock, startPurger } from './clocks.js';
import { startEndedAuthorizations } from './ended-authorizations.js';

interface WorkerParts {
  readonly stores: Stores;
  readonly catalog: Catalog;
  readonly identity: Identity;
  readonly operator: Operator;
}

/** Starts the background workers of the service. Each one waits until the services that it calls respond. */
export function startWorkers(
  { config, clock, log, telemetry }: ServiceBase<ContributionsConfig>,
  { stores, catalog, identity, operator }: WorkerParts,
) {
  const urls = publicUrls(config);
  const outbox = new Outbox({
    store: stores.mails,
    compose: ({ owner, mail }, signal) =>
      composeMail(owner, mail, { urls, makeAccessKey: identity.accessKey, joinedMails: stores.joinedMails }, signal),
    transport: createSmtpTransport(config, operator.contact.email),
    operator,
    log,
    telemetry,
    now: clock,
  });
  const parts = { stores, identity, clock, log };
  const purger = startPurger(parts);
  const publisher = startPublisher(stores.publications, catalog, clock, log, () => {
    outbox.wake();
    purger.kick();
  });
  const due = [startHeldDecisions, startAgentEnds, startPromptClock, startNewTextClock].map((start) => start(parts));
  const assessor = startAssessor(parts);
  const follower = startLogTail(stores.transitions, log);
  const ended = startEndedAuthorizations(identity, stores.authorizations, stores.endAuthorizations, clock, log);
  const workers = [publisher, outbox, follower, ended, ...due, purger, assessor];
  const kickForNew = () => {
    outbox.wake();
    follower.kick();
    assessor.kick();
  };
  return {
    follower,
    /** Wakes those that have to do with a new contribution. */
    kickForNew,
    /** Wakes the workers after a write. */
    kick: () => {
      kickForNew();
      for (const each of [publisher, ...due, purger]) each.kick();
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}

export type Workers = ReturnType<typeof startWorkers>;
