import { ContributionsServiceService } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { ModerationServiceService, PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { implement, type ServiceImplementation } from '@knowledge/runtime/grpc';
import { type ContributionsParts, contributionsHandlers } from './contributions.js';
import { type ModerationParts, moderationHandlers } from './moderation.js';
import { promptHandlers } from './prompts.js';

export function implementServices(parts: ContributionsParts & ModerationParts): ServiceImplementation[] {
  return [
    implement(ContributionsServiceService, contributionsHandlers(parts)),
    implement(ModerationServiceService, moderationHandlers(parts)),
    implement(PromptServiceService, promptHandlers(parts)),
  ];
}
