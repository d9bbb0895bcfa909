import { ContributionsServiceService } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { ModerationServiceService, PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { ReasonServiceService, TeamworkServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { MailAdminServiceService } from '@knowledge/proto/knowledge/mail/v1/mail_admin';
import { operatorOf, publicUrls } from '@knowledge/runtime';
import { implement } from '@knowledge/runtime/grpc';
import { mailAdminHandlers } from '@knowledge/runtime/mail';
import { hostOf } from '@knowledge/runtime/names';
import { defineService, type ServiceBase, type ServiceParts } from '@knowledge/runtime/service';
import { countTransitions } from '@knowledge/runtime/telemetry';
import { access } from './access.js';
import { createKeyedQueue } from './base/keyed-queue.js';
import { connectIdentity } from './clients/identity.js';
import { connectPublishedTexts } from './clients/published-texts.js';
import { connectWriteLimit } from './clients/write-limit.js';
import { type ContributionsConfig, readContributionsConfig } from './config.js';
import { contributionsHandlers } from './handlers/contributions.js';
import { moderationHandlers } from './handlers/moderation.js';
import { promptHandlers, promptReaders } from './prompts/handlers.js';
import { promptsSchema } from './prompts/store.js';
import { connectCatalog } from './publications/client.js';
import { reasonHandlers } from './reasons/handlers.js';
import { createReasonStore, reasonsSchema } from './reasons/store.js';
import { contributionsSchema } from './store/schema.js';
import { openStores } from './stores.js';
import { teamworkHandlers, teamworkOfRecords } from './teamwork/handlers.js';
import { createNoteStore, createPresenceStore, teamworkSchema } from './teamwork/store.js';
import { startWorkers, type Workers } from './workers/start-workers.js';

export const { start, migrate } = defineService({
  name: 'contributions',
  readConfig: readContributionsConfig,
  schema: [...contributionsSchema, ...promptsSchema, ...teamworkSchema, ...reasonsSchema],
  access,
  compose,
});

function compose(base: ServiceBase<ContributionsConfig>): ServiceParts {
  const { config, tls, telemetry, mongo, streamsMongo } = base;
  let workers: Workers | undefined;
  const count = countTransitions(telemetry.metrics);
  const teamwork = { notes: createNoteStore(mongo.client, mongo.db), presence: createPresenceStore(mongo.db) };
  const wake = (): void => workers?.kick();
  const submitted = (): void => workers?.kickForNew();
  const reasons = createReasonStore(mongo.db, wake);
  const texts = connectPublishedTexts({ address: config.CONTENT_ADDRESS, tls, telemetry });
  const siteUrls = Object.values(publicUrls(config));
  const ownHosts = new Set(siteUrls.map(hostOf));
  const { comparePublished } = texts;
  const parts = { changed: wake, submitted, count, notes: teamwork.notes, comparePublished, ownHosts };
  const stores = openStores(mongo, streamsMongo, parts);
  const limit = connectWriteLimit({ address: config.QUOTA_ADDRESS, tls, telemetry });
  const catalog = connectCatalog({ address: config.CONTENT_ADDRESS, tls, telemetry });
  const identity = connectIdentity({ address: config.IDENTITY_ADDRESS, tls, telemetry });
  const operator = operatorOf(config);
  const started = startWorkers(base, { stores, catalog, identity, operator });
  workers = started;
  const { submissions, prompts } = stores;
  const submit = {
    queue: createKeyedQueue(),
    operatorName: operator.name,
    siteUrls,
    submissions,
    limit,
    activePrompt: prompts.active,
    findText: texts.find,
  };
  const { follower } = started;
  const moderation = { ...stores, identity, teamwork: teamworkOfRecords(teamwork), follower, submit };
  return {
    implementations: [
      implement(ContributionsServiceService, {
        ...contributionsHandlers({ ...stores, submit, metrics: telemetry.metrics }),
        ...promptReaders(prompts),
      }),
      implement(ModerationServiceService, moderationHandlers(moderation)),
      implement(PromptServiceService, promptHandlers(prompts)),
      implement(MailAdminServiceService, mailAdminHandlers({ ...stores, wake })),
      implement(TeamworkServiceService, teamworkHandlers(teamwork)),
      implement(ReasonServiceService, reasonHandlers({ reasons })),
    ],
    closables: [catalog, texts, limit, identity, started],
  };
}
