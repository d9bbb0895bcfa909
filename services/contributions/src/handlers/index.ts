import { ContributionsServiceService } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { ModerationServiceService, PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { implement, type ServiceImplementation } from '@knowledge/runtime/grpc';
import type { Metrics } from '@knowledge/runtime/telemetry';
import type { WatchedLog } from '@knowledge/runtime/watch';
import type { Clock } from '../clock.js';
import type { SubmitDependencies } from '../domain/submit.js';
import type { ContributionStore } from '../store/contributions.js';
import type { EndAuthorizations } from '../store/ending.js';
import type { PeopleStore } from '../store/people.js';
import type { PersonalDataStore } from '../store/personal-data.js';
import type { PromptStore } from '../store/prompts.js';
import type { LogEntry, TransitionLog } from '../store/transition-log.js';
import { handleActivatePrompt } from './activate-prompt.js';
import { handleAnswerInquiry } from './answer-inquiry.js';
import { handleApproveContribution } from './approve-contribution.js';
import { handleCloseInquiry } from './close-inquiry.js';
import { handleClosePrompt } from './close-prompt.js';
import { handleCorrectPrompt } from './correct-prompt.js';
import { handleCreatePrompt } from './create-prompt.js';
import { handleEraseContributor } from './erase-contributor.js';
import { handleExportContributor } from './export-contributor.js';
import { handleGetActivePrompt } from './get-active-prompt.js';
import { handleGetContribution } from './get-contribution.js';
import { handleGetContributionRecord } from './get-contribution-record.js';
import { handleGetPromptRecord } from './get-prompt-record.js';
import { handleListContributionRecords } from './list-contribution-records.js';
import { handleListContributions } from './list-contributions.js';
import { handleListPrompts } from './list-prompts.js';
import { handleListPublicPrompts } from './list-public-prompts.js';
import { handleGetMailChoice, handleSetMailChoice } from './mail-choice.js';
import { handlePublishContribution } from './publish-contribution.js';
import { handleRejectContribution } from './reject-contribution.js';
import { handleRetractContribution } from './retract-contribution.js';
import { handleSubmitContribution } from './submit-contribution.js';
import { handleTakeDownContribution } from './take-down-contribution.js';
import { handleWatchContributions } from './watch-contributions.js';
import { handleWithdrawContribution } from './withdraw-contribution.js';
import { handleWithdrawWaiting } from './withdraw-waiting.js';

/** What the handlers work with. */
export interface HandlerDependencies {
  prompts: PromptStore;
  contributions: ContributionStore;
  people: PeopleStore;
  endAuthorizations: EndAuthorizations;
  personalData: PersonalDataStore;
  follower: WatchedLog<LogEntry>;
  transitions: TransitionLog;
  submit: SubmitDependencies;
  metrics: Metrics;
  clock: Clock;
}

/** The three doors of the service. */
export function implementServices(needs: HandlerDependencies): ServiceImplementation[] {
  const { prompts, contributions, people, endAuthorizations, personalData } = needs;
  const { follower, transitions, submit, metrics, clock } = needs;
  return [
    implement(ContributionsServiceService, {
      submitContribution: handleSubmitContribution(submit, metrics, clock),
      getContribution: handleGetContribution(contributions, clock),
      listContributions: handleListContributions(contributions, clock),
      withdrawContribution: handleWithdrawContribution(contributions, clock),
      withdrawWaiting: handleWithdrawWaiting(contributions, endAuthorizations, clock),
      takeDownContribution: handleTakeDownContribution(contributions, clock),
      getMailChoice: handleGetMailChoice(people),
      setMailChoice: handleSetMailChoice(people),
      getActivePrompt: handleGetActivePrompt(prompts, clock),
      listPublicPrompts: handleListPublicPrompts(prompts, clock),
    }),
    implement(ModerationServiceService, {
      listContributionRecords: handleListContributionRecords(contributions, transitions, clock),
      getContributionRecord: handleGetContributionRecord(contributions, transitions, clock),
      approveContribution: handleApproveContribution(contributions, clock),
      publishContribution: handlePublishContribution(contributions, clock),
      retractContribution: handleRetractContribution(contributions, clock),
      rejectContribution: handleRejectContribution(contributions, clock),
      answerInquiry: handleAnswerInquiry(contributions, clock),
      closeInquiry: handleCloseInquiry(contributions, clock),
      exportContributor: handleExportContributor(personalData, transitions, clock),
      eraseContributor: handleEraseContributor(personalData, transitions, clock),
      watchContributions: handleWatchContributions(follower),
    }),
    implement(PromptServiceService, {
      createPrompt: handleCreatePrompt(prompts, clock),
      activatePrompt: handleActivatePrompt(prompts, clock),
      closePrompt: handleClosePrompt(prompts, clock),
      correctPrompt: handleCorrectPrompt(prompts, clock),
      getPromptRecord: handleGetPromptRecord(prompts, clock),
      listPrompts: handleListPrompts(prompts, clock),
    }),
  ];
}
