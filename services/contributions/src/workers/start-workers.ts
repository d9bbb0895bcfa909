import { type Operator, publicUrls } from '@knowledge/runtime';
import { createSmtpTransport, startOutbox } from '@knowledge/runtime/mail';
import type { ServiceBase } from '@knowledge/runtime/service';
import { startLogTail, type WatchedLog } from '@knowledge/runtime/watch';
import type { Catalog } from '../clients/catalog.js';
import type { Identity } from '../clients/identity.js';
import type { ContributionsConfig } from '../config.js';
import { composeMail } from '../mail/compose.js';
import type { Stores } from '../store/open-stores.js';
import type { LogEntry } from '../store/transition-log.js';
import {
  startAgentEnds,
  startAssessor,
  startHeldDecisions,
  startNewTextClock,
  startPromptClock,
  startPurger,
} from './clocks.js';
import { startEndedAuthorizations } from './ended-authorizations.js';
import { startPublisher } from './publisher.js';

export interface WorkerParts {
  readonly stores: Stores;
  readonly catalog: Catalog;
  readonly identity: Identity;
  readonly operator: Operator;
}

/** The background workers of the service. */
export interface Workers {
  readonly follower: WatchedLog<LogEntry>;
  /** Wakes the workers after a write. */
  kick(): void;
  /** Wakes those that have to do with a new contribution. */
  kickForNew(): void;
  close(): Promise<void>;
}

/** Starts all workers. Each one waits until the services that it calls respond. */
export function startWorkers(
  { config, clock, log, telemetry }: ServiceBase<ContributionsConfig>,
  { stores, catalog, identity, operator }: WorkerParts,
): Workers {
  const urls = publicUrls(config);
  const outbox = startOutbox({
    store: stores.mails,
    compose: ({ owner, mail }, signal) =>
      composeMail(owner, mail, { urls, makeAccessKey: identity.accessKey, joined: stores.joinedMails }, signal),
    transport: createSmtpTransport(config, operator.contact.email),
    operator,
    log,
    telemetry,
    now: clock,
  });
  const purger = startPurger(stores.personalData, clock, log);
  const publisher = startPublisher(stores.publications, catalog, clock, log, () => {
    outbox.wake();
    purger.kick();
  });
  const heldDecisions = startHeldDecisions(stores.heldDecisions, stores.contributions, clock, log);
  const agentEnds = startAgentEnds(stores.agentEnds, identity, clock, log);
  const promptClock = startPromptClock(stores.prompts, clock, log);
  const newTextClock = startNewTextClock(stores.contributions, clock, log);
  const assessor = startAssessor(stores.backlog, log);
  const follower = startLogTail(stores.transitions, log);
  const workers = [
    publisher,
    outbox,
    follower,
    startEndedAuthorizations(identity, stores.authorizations, stores.endAuthorizations, clock, log),
    heldDecisions,
    agentEnds,
    promptClock,
    newTextClock,
    purger,
    assessor,
  ];
  const kickForNew = (): void => {
    outbox.wake();
    follower.kick();
    assessor.kick();
  };
  return {
    follower,
    kickForNew,
    kick: () => {
      kickForNew();
      publisher.kick();
      heldDecisions.kick();
      agentEnds.kick();
      promptClock.kick();
      newTextClock.kick();
      purger.kick();
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}
